/**
 * Keyboard in the list of peerings, whose rows have two plots each. All plots together are one tab stop: the keys up and down lead
 * from plot to plot, and Tab returns to the row of the last one. Left and right read a plot (`use-plot-reader.ts`).
 */
import { type ComponentProps, useState } from "react";

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

export interface PlotStop {
  /** The row whose first plot is the tab stop; undefined if no row has plots. */
  readonly plotStop: string | undefined;
  /** For the element with the rows. */
  readonly plotProps: Pick<ComponentProps<"ul">, "onFocus" | "onKeyDownCapture">;
}

/**
 * @param rows the names of all rows, in their order
 * @param hasPlots whether a row has plots
 */
export function usePlotStop(rows: readonly string[], hasPlots: (row: string) => boolean): PlotStop {
  const [last, setLast] = useState<string>();
  const withPlots = rows.filter(hasPlots);
  return {
    plotStop: withPlots.find((row) => row === last) ?? withPlots[0],
    plotProps: {
      onFocus: ({ currentTarget, target }) => {
        if (!isPlot(target)) return;
        setLast(rows[Array.from(currentTarget.children).findIndex((row) => row.contains(target))]);
      },
      // Before the plot, which would read up and down as right and left.
      onKeyDownCapture: (event) => {
        const step = steps[event.key];
        if (step === undefined || !(event.target instanceof Element) || !isPlot(event.target)) return;
        event.preventDefault();
        event.stopPropagation();
        const plots = Array.from(event.currentTarget.querySelectorAll<HTMLElement>(plotSelector));
        plots[plots.findIndex((plot) => plot === event.target) + step]?.focus();
      },
    },
  };
}

const plotSelector = "[role=slider]";

function isPlot(element: Element): boolean {
  return element.matches(plotSelector);
}

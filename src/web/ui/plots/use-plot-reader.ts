import { type HTMLAttributes, type KeyboardEvent, type PointerEvent, useState } from "react";

const keySteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -8,
  PageUp: 8,
  Home: -Infinity,
  End: Infinity,
};

export interface PlotReaderOptions {
  /** What the plot shows, for screen readers. */
  readonly label: string;
  /** The number of its points, the oldest first; at least one. */
  readonly count: number;
  /** Returns the time and the value of a point: "15:30 to 16:00: 13.8 ms". */
  readonly describe: (index: number) => string;
}

export interface PlotReader {
  /** The selected point; null while the plot is not read. */
  readonly selected: number | null;
  /** Describes the selected point, or the last one. */
  readonly text: string;
  /** For the element around the plot. */
  readonly readerProps: HTMLAttributes<HTMLElement>;
}

/** Pointer, touch and arrow keys select a point of a plot, whose time and value screen readers announce. */
export function usePlotReader({ label, count, describe }: PlotReaderOptions): PlotReader {
  const [selected, setSelected] = useState<number | null>(null);
  const last = count - 1;
  const index = Math.min(selected ?? last, last);
  const select = (next: number) => setSelected(Math.max(0, Math.min(last, next)));
  const text = describe(index);
  const selectAtPointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    select(Math.floor(((clientX - left) / width) * count));
  };
  const readerProps = {
    role: "slider",
    tabIndex: 0,
    "aria-label": label,
    "aria-valuemin": 1,
    "aria-valuemax": count,
    "aria-valuenow": index + 1,
    "aria-valuetext": text,
    onKeyDown: (event: KeyboardEvent) => {
      const step = keySteps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      select(index + step);
    },
    onPointerDown: selectAtPointer,
    onPointerMove: selectAtPointer,
    onPointerLeave: ({ currentTarget }: PointerEvent<HTMLElement>) => {
      if (document.activeElement !== currentTarget) setSelected(null);
    },
    onFocus: () => select(index),
    onBlur: () => setSelected(null),
  };
  return { selected: selected === null ? null : index, text, readerProps };
}

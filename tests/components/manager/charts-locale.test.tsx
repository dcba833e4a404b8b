/** Charts are drawn whatever the browser reports as its language. */
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Chart } from "#web/features/stats/chart.tsx";
import { percent, percentRange } from "#web/features/stats/units.ts";
import { createAppSystem } from "#web/ui/theme/system.ts";
import { useWindowProperties } from "../../support/window-properties.ts";

/** Gives every observed element a width, so that the chart in it is drawn. */
class WideElements implements ResizeObserver {
  readonly #report: ResizeObserverCallback;
  constructor(report: ResizeObserverCallback) {
    this.#report = report;
  }
  observe() {
    this.#report([{ contentRect: { width: 400 } } as ResizeObserverEntry], this);
  }
  unobserve() {}
  disconnect() {}
}

/** Accepts every drawing command: jsdom has no canvas. */
const createDrawing = () => new Proxy({}, { get: () => () => ({ width: 0 }), set: () => true });

useWindowProperties({
  ResizeObserver: WideElements,
  Path2D: function Path2D() {
    return createDrawing();
  },
  matchMedia: () => new EventTarget(),
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, "language");
});

// WebKit reports "C" where the system's locale is C.UTF-8. Intl throws a RangeError for it.
it('are drawn in a browser whose language is "C"', async () => {
  Object.defineProperty(navigator, "language", { value: "C", configurable: true });
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(createDrawing() as never);
  const now = Date.now();
  render(
    <ChakraProvider value={createAppSystem()}>
      <Chart
        label="Node CPU usage"
        rowLabel="Node"
        lines={[{ label: "syd01", points: [{ at: now - 60_000, value: 12 }] }]}
        unit={percent}
        range={percentRange}
        state={{ status: "loaded", now, latestAt: now }}
        emptyText="No samples."
      />
    </ChakraProvider>,
  );
  expect(await screen.findByLabelText(/^Node CPU usage: line chart of the last 3 hours/)).toBeTruthy();
});

/** Setup of tests that run the app in jsdom: the parts of a browser that jsdom lacks and the app uses. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";
import { useWindowProperties } from "./window-properties.ts";

/** The width of the window, for media queries. */
const widthRem = 80;

/** Evaluates `min-width` in rem. Of other media queries, only that for a mouse matches. */
function matchMedia(query: string): MediaQueryList {
  const minWidth = /\(min-width: ([\d.]+)rem\)/.exec(query)?.[1];
  const matches = minWidth === undefined ? query.includes("pointer: fine") : Number(minWidth) <= widthRem;
  return Object.assign(new EventTarget(), { media: query, matches }) as MediaQueryList;
}

/** jsdom has no layout, so no element changes its size. */
class NeverResized implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** What Vitest provides of the window. */
interface JsdomWindow {
  readonly virtualConsole: {
    removeAllListeners(event: "jsdomError"): void;
    on(event: "jsdomError", listener: (error: Error) => void): void;
  };
}

useWindowProperties({
  matchMedia,
  ResizeObserver: NeverResized,
  scrollTo: () => {},
});

// jsdom prints that it opens no other document. The tests look at what leads there.
const { virtualConsole } = (globalThis as unknown as { readonly jsdom: JsdomWindow }).jsdom;
virtualConsole.removeAllListeners("jsdomError");
virtualConsole.on("jsdomError", (error) => {
  if (!error.message.startsWith("Not implemented: navigation")) process.stderr.write(`${error.message}\n`);
});

afterEach(() => {
  cleanup();
});

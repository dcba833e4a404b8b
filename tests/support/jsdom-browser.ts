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

useWindowProperties({
  matchMedia,
  ResizeObserver: NeverResized,
  scrollTo: () => {},
  // A test replaces it. An app that a test has closed may still send a request.
  fetch: () => new Promise(() => {}),
});

afterEach(() => {
  cleanup();
});

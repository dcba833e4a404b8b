/**
 * Setup of test files that share a jsdom window. Evaluating React, Chakra and the router for each file would cost more
 * than its tests, so packages stay loaded, with the window that they know. The project's own modules are evaluated for
 * each file.
 *
 * A file that leaves something in the window fails, because the files after it would depend on it.
 */
import { configure } from "@testing-library/react";
import React from "react";
import { afterAll, expect, vi } from "vitest";
import { useWindowProperties } from "./window-properties.ts";

vi.resetModules();
document.title = "";
// On a busy machine, one query by role takes longer than the default of one second.
configure({ asyncUtilTimeout: 10_000 });

// jsdom draws frames on an interval, which it starts when the first is requested. If a test has stopped the clock then,
// the interval ends with the stopped clock, jsdom never starts another, and dialogs wait forever to close or to take the
// focus. With a frame always requested, the interval runs on the real clock from the start.
let frame = requestAnimationFrame(function requestNext() {
  frame = requestAnimationFrame(requestNext);
});

// jsdom would parse each of Emotion's rules, and match them all against an element that takes the focus.
document.createElement = (name: string, options?: ElementCreationOptions) => {
  const element = Document.prototype.createElement.call(document, name, options);
  if (name === "style") element.setAttribute("type", "text/plain");
  return element;
};

// React's development build captures a stack for each element, for messages that no test reads.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, object>;
Object.defineProperty(internals, "recentlyCreatedOwnerStacks", {
  configurable: true,
  get: () => Infinity,
  set: () => {},
});

// A test replaces it. An app that a test has closed may still send a request, also in the time of a later file.
globalThis.fetch = () => new Promise(() => {});

const globalsBefore = readGlobals();

afterAll(() => {
  cancelAnimationFrame(frame);
  const globals = readGlobals();
  const left = {
    clock: vi.isFakeTimers() ? "fake" : "real",
    body: document.body.outerHTML,
    localStorage: Object.entries(localStorage),
    sessionStorage: Object.entries(sessionStorage),
    changedGlobals: Array.from(new Set([...globalsBefore.keys(), ...globals.keys()])).filter(
      (name) => !Object.is(globals.get(name), globalsBefore.get(name)),
    ),
  };
  // Only the file that left something fails.
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  expect(left).toEqual({
    clock: "real",
    body: "<body></body>",
    localStorage: [],
    sessionStorage: [],
    changedGlobals: [],
  });
});

useWindowProperties({
  // jsdom takes milliseconds to match all of the app's rules against one element, and accessible names need the style
  // of every element. A test that depends on a style sheet needs a browser.
  getComputedStyle: ({ style }: HTMLElement) => style,
});

/** The window's properties, without those that packages set: React, Leaflet (`L`), and names such as `__TSR_ROUTER__`. */
function readGlobals(): ReadonlyMap<string, unknown> {
  const names = Object.getOwnPropertyNames(window).filter((name) => !/^__|^IS_REACT_|^L$/.test(name));
  return new Map(names.map((name) => [name, Reflect.get(window, name)]));
}

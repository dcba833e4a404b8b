import { expect, it } from "vitest";
import { isChunkLoadError, markChunkLoadErrors } from "#web/browser/updates/chunk-load-error.ts";

markChunkLoadErrors();

/** Reports an error as Vite does if an `import()` rejects. */
function report(payload: Error): Error {
  window.dispatchEvent(Object.assign(new Event("vite:preloadError"), { payload }));
  return payload;
}

it.each([
  ["Chromium", new TypeError("Failed to fetch dynamically imported module: https://p.example/assets/a.js")],
  ["Firefox", new TypeError("error loading dynamically imported module: https://p.example/assets/a.js")],
  ["WebKit", new TypeError("Importing a module script failed.")],
  ["a chunk of another version", new SyntaxError("does not provide an export named 'a'")],
  ["a style sheet", new Error("Unable to preload CSS for /assets/a.css")],
])("the error of %s says that a part of the app is missing", (_, error) => {
  const { message } = error;
  expect(isChunkLoadError(report(error))).toBe(true);
  expect(error.message).toBe(`A part of the app is missing. ${message}`);
});

it.each([new RangeError("invalid language tag: C"), new ReferenceError("x is not defined")])(
  "%s of a loaded chunk keeps its name and message",
  (error) => {
    const { name, message } = error;
    expect(isChunkLoadError(report(error))).toBe(false);
    expect([error.name, error.message]).toEqual([name, message]);
  },
);

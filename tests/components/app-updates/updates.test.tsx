import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UpdateNotice } from "#web/features/app-updates/update-notices.tsx";
import { isChunkLoadError, markChunkLoadErrors } from "#web/browser/updates/chunk-load-error.ts";
import { createReloadGuard } from "#web/browser/updates/reload-guard.ts";
import { createInstall } from "#web/browser/install.ts";
import { PwaContext } from "#web/browser/pwa.ts";
import { createUpdates } from "#web/browser/updates/updates.ts";
import { createAppSystem } from "#web/ui/theme/system.ts";

markChunkLoadErrors();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

/** A version that keeps waiting: requests of the previous one never end. */
function blockedWorker(): ServiceWorker {
  const worker: Partial<ServiceWorker> = { state: "installed", postMessage: () => undefined };
  return Object.assign(new EventTarget(), worker) as ServiceWorker;
}

/** The notice of that version, and how often the page was reloaded. */
async function openAccepted() {
  const busy = createReloadGuard();
  const reload = vi.fn<() => void>();
  const updates = createUpdates(busy, reload);
  render(
    <ChakraProvider value={createAppSystem()}>
      <PwaContext value={{ reloadGuard: busy, updates, install: createInstall() }}>
        <UpdateNotice />
      </PwaContext>
    </ChakraProvider>,
  );
  act(() => updates.reportWaiting(blockedWorker()));
  fireEvent.click(button("Reload"));
  expect([button("Reload").disabled, button("Later").disabled]).toEqual([true, true]);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(reload).not.toHaveBeenCalled();
  return { busy, updates, reload };
}

it("can be put off when the new version was held up after Reload", async () => {
  await openAccepted();
  fireEvent.click(button("Later"));
  expect(screen.queryByText("A new version is ready.")).toBeNull();
});

it("reloads the page if that version arrived while a form was being filled", async () => {
  const { busy, updates, reload } = await openAccepted();
  act(() => {
    const end = busy.begin("form");
    updates.reportReplaced();
    end();
  });
  fireEvent.click(button("Reload"));
  await act(async () => undefined);
  expect(reload).toHaveBeenCalledOnce();
});

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

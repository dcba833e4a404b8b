import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UpdateNotice } from "../../../src/web/features/app-updates/update-notice.tsx";
import { createBusy } from "../../../src/web/pwa/busy.ts";
import { createInstall } from "../../../src/web/pwa/install.ts";
import { PwaContext } from "../../../src/web/pwa/pwa.ts";
import { createUpdates } from "../../../src/web/pwa/updates.ts";
import { createAppSystem } from "../../../src/web/ui/system.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

/** A version that waits, and goes on waiting: requests of the former one never end. */
function heldUp(): ServiceWorker {
  const worker: Partial<ServiceWorker> = { state: "installed", postMessage: () => undefined };
  return Object.assign(new EventTarget(), worker) as ServiceWorker;
}

/** The notice of that version, and how often the page was loaded anew. */
async function openAccepted() {
  const busy = createBusy();
  const reload = vi.fn<() => void>();
  const updates = createUpdates(busy, reload);
  render(
    <ChakraProvider value={createAppSystem()}>
      <PwaContext value={{ busy, updates, install: createInstall() }}>
        <UpdateNotice />
      </PwaContext>
    </ChakraProvider>,
  );
  act(() => updates.noteWaiting(heldUp()));
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

it("loads the page anew where that version came while a form was being filled", async () => {
  const { busy, updates, reload } = await openAccepted();
  act(() => {
    const end = busy.begin("form");
    updates.noteReplaced();
    end();
  });
  fireEvent.click(button("Reload"));
  await act(async () => undefined);
  expect(reload).toHaveBeenCalledOnce();
});

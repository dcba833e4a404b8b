import { ChakraProvider } from "@chakra-ui/react/styled-system";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UpdateNotice } from "#web/features/app-updates/update-notices.tsx";
import { createReloadGuard } from "#web/browser/updates/reload-guard.ts";
import { createInstall } from "#web/browser/install.ts";
import { PwaContext } from "#web/browser/pwa.ts";
import { createUpdates } from "#web/browser/updates/updates.ts";
import { createAppSystem } from "#web/ui/theme/system.ts";

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

import { act, render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, vi } from "vitest";
import { createPage } from "../../support/app-tab.tsx";
import { createScriptedBackend, type ScriptedBackend } from "../../support/scripted-backend.ts";

/** The mock backend for the tests of one file, fresh before each of them. */
export function useBackend(): ScriptedBackend {
  const backend = createScriptedBackend();
  beforeEach(() => {
    Object.assign(backend, createScriptedBackend());
    vi.stubGlobal("fetch", backend.fetch);
  });
  afterEach(() => {
    backend.close();
    vi.unstubAllGlobals();
  });
  return backend;
}

export interface OpenApp extends Pick<ReturnType<typeof createPage>, "address" | "queryClient" | "router"> {
  readonly user: UserEvent;
}

/** Opens the app as a browser does at an address, and waits for its first screen. */
export async function openApp(to: string): Promise<OpenApp> {
  const { element, router, queryClient, address } = createPage(to);
  const user = userEvent.setup();
  await router.load();
  // Awaited, because React never resumes a component that suspends in a synchronous `act` scope: a chunk that loads
  // more slowly than the loader waits for it.
  await act(async () => void render(element));
  return { user, router, queryClient, address };
}

/** What the app knows of itself as an installed program, for the screens. */
import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { type Busy, type BusyReason, createBusy } from "./busy.ts";
import { createInstall, type Install } from "./install.ts";
import { createUpdates, type Updates } from "./updates.ts";

export interface Pwa {
  readonly busy: Busy;
  readonly updates: Updates;
  readonly install: Install;
}

export function createPwa(): Pwa {
  const busy = createBusy();
  return { busy, updates: createUpdates(busy, () => window.location.reload()), install: createInstall() };
}

/** Null where a part of the app is drawn by itself. */
export const PwaContext = createContext<Pwa | null>(null);

/** While `active`, the page is not loaded anew for a new version, and nobody is asked to. */
export function useBusy(reason: BusyReason, active: boolean): void {
  const busy = use(PwaContext)?.busy;
  useEffect(() => (active ? busy?.begin(reason) : undefined), [busy, reason, active]);
}

/** The store's parts, and whether a new version is to be offered now. */
export function useUpdates(): Pick<Updates, "accept" | "postpone"> & { readonly offered: boolean } {
  const updates = use(PwaContext)?.updates ?? noUpdates;
  const { accept, postpone } = updates;
  return { offered: useSyncExternalStore(updates.subscribe, updates.offered), accept, postpone };
}

/** Null where the app cannot be installed from here. */
export function useInstall(): Pick<Install, "ask" | "dismissHint"> & {
  readonly way: ReturnType<Install["way"]>;
} {
  const install = use(PwaContext)?.install ?? noInstall;
  const { ask, dismissHint } = install;
  return { way: useSyncExternalStore(install.subscribe, install.way), ask, dismissHint };
}

const nothing = async () => undefined;
const never = () => () => undefined;
const noUpdates: Pick<Updates, "offered" | "subscribe" | "accept" | "postpone"> = {
  offered: () => false,
  subscribe: never,
  accept: nothing,
  postpone: () => undefined,
};
const noInstall: Install = { way: () => null, subscribe: never, ask: nothing, dismissHint: () => undefined };

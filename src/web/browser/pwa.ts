/** React context and hooks for updates of the app, the reload guard and installation. */
import { createContext, use, useEffect, useSyncExternalStore } from "react";
import { createInstall, type Install, type InstallMethod } from "./install.ts";
import { createReloadGuard, type ReloadGuard, type ReloadGuardReason } from "./updates/reload-guard.ts";
import { createUpdates, type Updates } from "./updates/updates.ts";

export interface Pwa {
  readonly reloadGuard: ReloadGuard;
  readonly updates: Updates;
  readonly install: Install;
}

export function createPwa(): Pwa {
  const reloadGuard = createReloadGuard();
  const updates = createUpdates(reloadGuard, () => window.location.reload());
  return { reloadGuard, updates, install: createInstall() };
}

/** Null where a test renders a part of the app. */
export const PwaContext = createContext<Pwa | null>(null);

/** While `active`, the page is not reloaded for a new version, and no reload is offered. */
export function useReloadGuard(reason: ReloadGuardReason, active: boolean): void {
  const guard = use(PwaContext)?.reloadGuard;
  useEffect(() => (active ? guard?.begin(reason) : undefined), [guard, reason, active]);
}

/** `isOffered`: whether to offer a new version now. */
export function useUpdates(): Pick<Updates, "accept" | "postpone"> & { readonly isOffered: boolean } {
  const updates = use(PwaContext)?.updates ?? noUpdates;
  const { accept, postpone } = updates;
  return { isOffered: useSyncExternalStore(updates.subscribe, updates.isOffered), accept, postpone };
}

/** `method` is null where the app cannot be installed from this page. */
export function useInstall(): Pick<Install, "prompt" | "dismissHint"> & {
  readonly method: InstallMethod | null;
} {
  const install = use(PwaContext)?.install ?? noInstall;
  const { prompt, dismissHint } = install;
  return { method: useSyncExternalStore(install.subscribe, install.method), prompt, dismissHint };
}

const nothing = async () => undefined;
const never = () => () => undefined;
const noUpdates: Pick<Updates, "isOffered" | "subscribe" | "accept" | "postpone"> = {
  isOffered: () => false,
  subscribe: never,
  accept: nothing,
  postpone: () => undefined,
};
const noInstall: Install = {
  method: () => null,
  subscribe: never,
  prompt: nothing,
  dismissHint: () => undefined,
};

/** Holds back reloads while one would lose the participant's input or interrupt a deployment. */
import { createStore } from "../store.ts";

export type ReloadGuardReason = "deployment" | "form";

export interface ReloadGuard {
  /** Holds reloads back until the returned function is called. */
  readonly begin: (reason: ReloadGuardReason) => () => void;
  readonly isActive: () => boolean;
  readonly subscribe: (onChange: () => void) => () => void;
}

export function createReloadGuard(): ReloadGuard {
  const active = createStore<ReadonlySet<{ readonly reason: ReloadGuardReason }>>(new Set());
  return {
    begin: (reason) => {
      const entry = { reason };
      active.set(new Set(active.get()).add(entry));
      return () => active.set(new Set([...active.get()].filter((other) => other !== entry)));
    },
    isActive: () => active.get().size > 0,
    subscribe: active.subscribe,
  };
}

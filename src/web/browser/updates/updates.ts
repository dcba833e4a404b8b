/**
 * Whether a newer version of the app is available, and how to switch to it.
 *
 * - The page is never reloaded before the participant has agreed, in this tab or in another one. The new version then
 *   takes over all tabs. A guarded tab keeps its old files and offers the reload afterwards.
 * - One exception: if no visible page answers the liveness probe, a new version takes over without asking
 *   (src/sw/takeover.ts). Working tabs in the background are then reloaded too, unless they are guarded.
 * - While the reload guard is active, nothing is offered.
 */
import { createStore } from "../store.ts";
import { activateWorker } from "./newest-version.ts";
import type { ReloadGuard } from "./reload-guard.ts";

export interface Updates {
  /** Whether to offer the new version now. */
  readonly isOffered: () => boolean;
  /** Calls `onChange` after every change, until the returned function is called. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** Reloads the page as soon as the newest version can take over. */
  readonly accept: () => Promise<void>;
  /** Does not offer this version again before the next visit. */
  readonly postpone: () => void;
  /** A new version is installed and waiting. Reporting the same one twice changes nothing. */
  readonly reportWaiting: (worker: ServiceWorker) => void;
  /** Another version has taken over this page, which still runs the old files. */
  readonly reportReplaced: () => void;
}

interface UpdateState {
  readonly waiting: ServiceWorker | null;
  readonly isReplaced: boolean;
  readonly isPostponed: boolean;
}

export function createUpdates(guard: ReloadGuard, reload: () => void): Updates {
  const store = createStore<UpdateState>({ waiting: null, isReplaced: false, isPostponed: false });
  const change = (changes: Partial<UpdateState>) => store.set({ ...store.get(), ...changes });
  return {
    isOffered: () => {
      const { waiting, isReplaced, isPostponed } = store.get();
      return (waiting !== null || isReplaced) && !isPostponed && !guard.isActive();
    },
    subscribe: (onChange) => {
      const ends = [store.subscribe(onChange), guard.subscribe(onChange)];
      return () => ends.forEach((end) => end());
    },
    accept: async () => {
      const { waiting } = store.get();
      if (waiting !== null) await activateWorker(waiting);
      // Requests of the old version still hold it up. `reportReplaced` follows when it takes over.
      if (waiting?.state === "installed" || waiting?.state === "activating") return;
      reload();
    },
    postpone: () => change({ isPostponed: true }),
    reportWaiting: (worker) => {
      if (worker !== store.get().waiting) change({ waiting: worker, isPostponed: false });
    },
    reportReplaced: () => {
      if (!guard.isActive()) return reload();
      change({ waiting: null, isReplaced: true, isPostponed: false });
    },
  };
}

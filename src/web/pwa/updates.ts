/**
 * Whether a newer version of the app can be had, and the way into it.
 *
 * - Nothing is reloaded here before a person has agreed: in this tab, or in another one, which makes the new version
 *   take over all tabs. Then a tab that is busy goes on with its old files and offers the reload afterwards.
 * - There is one exception: where no page in front answers, a new version takes over without having asked
 *   (`replaceBroken` in src/sw/updates.ts). Tabs behind it that live are loaded anew too then, unless they are busy.
 * - While something is under way that a reload would break, nothing is offered.
 */
import type { Busy } from "./busy.ts";
import { activate } from "./newest-version.ts";

export interface Updates {
  /** Whether it is time to ask. */
  readonly offered: () => boolean;
  /** Hears of every change until the answered function is called. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The person agreed: the page is loaded anew as soon as the newest version can take over. */
  readonly accept: () => Promise<void>;
  /** Not now: this version is not offered again before the next visit. */
  readonly postpone: () => void;
  /** A version has been loaded and waits. Said again of the same one, it changes nothing. */
  readonly noteWaiting: (worker: ServiceWorker) => void;
  /** Another version has taken over this page, which is still the old one. */
  readonly noteReplaced: () => void;
}

export function createUpdates(busy: Busy, reload: () => void): Updates {
  let waiting: ServiceWorker | null = null;
  let replaced = false;
  let postponed = false;
  const listeners = new Set<() => void>();
  const tell = () => listeners.forEach((listener) => listener());
  return {
    offered: () => (waiting !== null || replaced) && !postponed && !busy.now(),
    subscribe: (onChange) => {
      listeners.add(onChange);
      const end = busy.subscribe(onChange);
      return () => {
        listeners.delete(onChange);
        end();
      };
    },
    accept: async () => {
      const next = waiting;
      if (next !== null) await activate(next);
      // Requests of the version before still hold it up: `noteReplaced` hears when it comes.
      if (next?.state === "installed" || next?.state === "activating") return;
      reload();
    },
    postpone: () => {
      postponed = true;
      tell();
    },
    noteWaiting: (worker) => {
      if (worker === waiting) return;
      waiting = worker;
      postponed = false;
      tell();
    },
    noteReplaced: () => {
      if (!busy.now()) return reload();
      waiting = null;
      replaced = true;
      postponed = false;
      tell();
    },
  };
}

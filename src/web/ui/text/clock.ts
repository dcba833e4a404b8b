/** One timer for everything on the screen that counts seconds: all ages change at the same moment. */
import { useSyncExternalStore } from "react";

const tickMs = 1000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function subscribe(onTick: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(tick, tickMs);
  listeners.add(onTick);
  return () => {
    listeners.delete(onTick);
    if (listeners.size === 0) clearInterval(timer);
  };
}

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

/** While the timer is stopped, the time of the last tick is old. */
function readNow(): number {
  if (listeners.size === 0 && Date.now() - now >= tickMs) now = Date.now();
  return now;
}

/**
 * Returns the time of the device's clock at the last tick, in milliseconds since 1970.
 *
 * @param stepMs how much it advances at least, so that a component which shows minutes is not rendered every second
 */
export function useNow(stepMs = tickMs): number {
  return useSyncExternalStore(subscribe, () => {
    const at = readNow();
    return stepMs > tickMs ? at - (at % stepMs) : at;
  });
}

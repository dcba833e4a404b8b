import { type Clock, runEvery } from "../clock.ts";
import type { Reconciler } from "./reconciler.ts";

/** A check costs three commands, however many peerings there are. */
const intervalMs = 10_000;
/** The longest backoff after repairs that failed. */
const maxBackoffMs = 60_000;

/**
 * Checks every ten seconds whether the router still runs the applied state, and applies it again if it
 * drifted: interfaces and BIRD can change without the agent. While the router does not respond, nothing is
 * applied. Repairs that fail are retried with backoff, at least every minute; the driver limits those of a value that does
 * not last. Ends when disposed.
 */
export function monitorDrift(options: {
  readonly reconciler: Pick<Reconciler, "checkDrift" | "resync">;
  /** Whether the operator paused repairs: nothing is checked then, so that nothing is known to have drifted. */
  readonly isPaused: () => Promise<boolean>;
  readonly clock: Clock;
}): AsyncDisposable {
  const { reconciler, isPaused, clock } = options;
  let backoffMs = 0;
  let failedAt = Number.NEGATIVE_INFINITY;

  async function checkOnce(): Promise<void> {
    if (await isPaused()) return;
    const drift = await reconciler.checkDrift();
    if (drift === "in sync") backoffMs = 0;
    if (drift !== "drifted" || clock.now() - failedAt < backoffMs) return;
    if (await reconciler.resync()) {
      backoffMs = 0;
      return;
    }
    backoffMs = Math.min(Math.max(2 * backoffMs, intervalMs), maxBackoffMs);
    failedAt = clock.now();
  }

  return runEvery(clock, intervalMs, checkOnce);
}

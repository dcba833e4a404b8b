import { type Clock, runEvery } from "../clock.ts";
import type { Reconciler } from "./reconciler.ts";

/** A check costs four commands. */
const intervalMs = 10_000;
/** The longest backoff between two repairs. A repair that lasted longer than this counts as successful. */
const maxBackoffMs = 60_000;

/**
 * Checks every ten seconds whether the router still runs the applied state, and applies it again if it
 * drifted: interfaces and BIRD can change without the agent. While the router does not respond, nothing is
 * applied. Repairs that do not last are retried with backoff, at least every minute. Ends when disposed.
 */
export function monitorDrift(options: {
  readonly reconciler: Pick<Reconciler, "checkDrift" | "resync">;
  readonly clock: Clock;
}): AsyncDisposable {
  const { reconciler, clock } = options;
  let backoffMs = 0;
  let repairedAt = Number.NEGATIVE_INFINITY;

  async function checkOnce(): Promise<void> {
    const drift = await reconciler.checkDrift();
    const sinceMs = clock.now() - repairedAt;
    if (drift !== "drifted" || sinceMs < backoffMs) return;
    backoffMs = sinceMs > maxBackoffMs ? intervalMs : Math.min(2 * backoffMs, maxBackoffMs);
    await reconciler.resync();
    repairedAt = clock.now();
  }

  return runEvery(clock, intervalMs, checkOnce);
}

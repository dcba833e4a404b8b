/**
 * Measures the latency of tunnels: participants' ones that are up, and the provider's own. It runs in the background, so that
 * a status request costs no probe.
 *
 * Invariants: at most `concurrency` probes run at once, and none after disposal. No probe starts while the
 * router is being changed, and no two probes start at the same moment: each is a process, and starting one
 * delays everything else.
 */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Run } from "#system/processes.ts";
import { roundTripMs } from "./ping.ts";

export interface LatencyMonitor extends AsyncDisposable {
  /** Milliseconds; null if the last probe got no reply or there was none. */
  readonly of: (interfaceName: string) => number | null;
}

export interface ProbeTarget {
  readonly interfaceName: string;
  /** An address of the other end. */
  readonly address: string;
}

const concurrency = 8;
const staggerMs = 20;
const intervalMs = 15_000;
/** While no tunnel is up or their number changes, so that a new tunnel gets a latency soon. */
const shortIntervalMs = 2000;

export function monitorLatency(options: {
  readonly run: Run;
  readonly targets: () => Promise<readonly ProbeTarget[]>;
  /** Resolves when no change is in progress. */
  readonly waitForIdle: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}): LatencyMonitor {
  const { run, targets, waitForIdle, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let measured: ReadonlyMap<string, number | null> = new Map();

  async function measureAll(): Promise<void> {
    const queue = [...(await targets())];
    const results = new Map<string, number | null>();
    let turn = Promise.resolve();
    const probe = async () => {
      for (let next = queue.pop(); next && !signal.aborted; next = queue.pop()) {
        turn = turn.then(() => clock.sleep(staggerMs, signal)).then(waitForIdle);
        await turn;
        if (signal.aborted) return;
        const { interfaceName, address } = next;
        results.set(interfaceName, await roundTripMs(run, interfaceName, address, signal));
      }
    };
    await Promise.all(Array.from({ length: concurrency }, probe));
    measured = results;
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const before = measured.size;
      await measureAll().catch((error: unknown) => {
        log.warn({ err: error }, "could not measure the latencies");
      });
      await clock.sleep(measured.size === before && before > 0 ? intervalMs : shortIntervalMs, signal);
    }
  }

  const running = loop();
  return {
    of: (interfaceName) => measured.get(interfaceName) ?? null,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

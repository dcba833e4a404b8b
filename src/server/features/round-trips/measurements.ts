/**
 * Measures the round trips from all nodes to a host.
 *
 * Invariants:
 * - Every node is asked once in `maxAgeMs` for the same AS and host, whether it responds or not, and however often the
 *   participant calls. The number of new measurements of an AS is limited.
 * - A caller waits at most `roundTripWaitMs`. What arrives later is part of the next response.
 */
import { setTimeout as pause } from "node:timers/promises";
import { roundTripWaitMs } from "#contract/timeouts.ts";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import type { AgentClient } from "../../agents/agent-client.ts";
import type { RateLimit } from "../../api/rate-limits.ts";

export interface Measurements {
  /** Returns milliseconds by node, without the nodes that have none or did not respond in time. Throws `HttpError` 429. */
  read(asn: string, host: string): Promise<ReadonlyMap<string, number>>;
}

interface Measurement {
  /** Filled while the nodes respond. */
  readonly latencies: ReadonlyMap<string, number>;
  readonly done: Promise<unknown>;
}

const maxAgeMs = 10 * 60_000;

export function createMeasurements(agents: AgentClient, perAs: RateLimit): Measurements {
  const latest = createSingleFlight(
    async (key) => {
      const [asn = "", host = ""] = key.split(" ");
      await perAs.take(asn);
      return start(host);
    },
    { maxAgeMs, now: () => performance.now(), sharesFailures: false },
  );

  function start(host: string): Measurement {
    const latencies = new Map<string, number>();
    const measure = async (node: string) => {
      // A node that cannot be reached has no round trip.
      const measured = await agents.ask(node, "roundTrip", { host }).catch(() => null);
      if (measured !== null && measured.latencyMs !== null) latencies.set(node, round(measured.latencyMs));
    };
    return { latencies, done: Promise.all(agents.listNodes().map(measure)) };
  }

  return {
    async read(asn, host) {
      const { latencies, done } = await latest.get(`${asn} ${host}`);
      const finished = new AbortController();
      const late = pause(roundTripWaitMs, undefined, { signal: finished.signal }).catch(() => undefined);
      await Promise.race([done, late]);
      finished.abort();
      return latencies;
    },
  };
}

/** To a tenth of a millisecond. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

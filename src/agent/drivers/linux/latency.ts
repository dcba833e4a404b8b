/**
 * The latency of every tunnel that is up, measured in the background, so that looking costs no probe.
 *
 * Invariants: at most `together` probes run at once, and none while disposed. None begins while the router is
 * changed, and two never at the same moment: each is a process, and starting it holds up everything else.
 */
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Run } from "../../processes.ts";
import type { RoutedPeering } from "../router.ts";
import { roundTripMs } from "./ping.ts";

export interface Latency extends AsyncDisposable {
  /** Milliseconds; null where the last probe got no answer or there was none. */
  readonly of: (asn: string) => number | null;
}

const together = 8;
const apartMs = 20;
const roundMs = 15_000;
/** A first round comes soon, so that a new tunnel is not called silent for long. */
const shortRoundMs = 2000;

export function measureLatency(options: {
  readonly run: Run;
  /** Peerings whose tunnel is up. */
  readonly peerings: () => Promise<readonly RoutedPeering[]>;
  /** Resolves when no change is under way. */
  readonly quiet: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
}): Latency {
  const { run, peerings, quiet, clock, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let measured: ReadonlyMap<string, number | null> = new Map();

  async function round(): Promise<void> {
    const queue = [...(await peerings())];
    const results = new Map<string, number | null>();
    let turn = Promise.resolve();
    const work = async () => {
      for (let next = queue.pop(); next && !signal.aborted; next = queue.pop()) {
        turn = turn.then(() => clock.sleep(apartMs, signal)).then(quiet);
        await turn;
        if (signal.aborted) return;
        const { asn, peerIpv6, peerIpv4 } = next.peering;
        const address = peerIpv6 ?? peerIpv4;
        if (address !== null) results.set(asn, await roundTripMs(run, asn, address, signal));
      }
    };
    await Promise.all(Array.from({ length: together }, work));
    measured = results;
  }

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      const before = measured.size;
      await round().catch((error: unknown) => {
        log.warn({ err: error }, "latencies could not be measured");
      });
      await clock.sleep(measured.size === before && before > 0 ? roundMs : shortRoundMs, signal);
    }
  }

  const looping = loop();
  return {
    of: (asn) => measured.get(asn) ?? null,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await looping;
    },
  };
}

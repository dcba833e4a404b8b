/**
 * Checks once a minute, and after each change, whether the node would forward packets, and keeps the result: a status request
 * costs nothing.
 *
 * Invariants: no check starts while the router is being changed, and the result of one during which a change began is dropped.
 * Before the first check, and after one that failed, nothing is known and nothing is reported.
 */
import type { Finding } from "#domain/findings/findings.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { DroppingChain } from "../firewall/dropping-chains.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import type { ForwardingCheck, ForwardingState } from "./forwarding-check.ts";
import { isConcerned } from "./forwarding-fault.ts";

export interface ForwardingMonitor extends AsyncDisposable {
  /** What the last check found, for the node's health. */
  readonly findings: () => readonly Finding[];
  /** Other programs' chains that drop by default. */
  readonly chains: () => readonly DroppingChain[];
  /** Whether the packets of a peering are not forwarded. */
  readonly isNotForwarded: (asn: string) => boolean;
  /** A change of the router has ended. */
  readonly noteChange: () => void;
}

export interface ForwardingMonitorOptions {
  readonly check: ForwardingCheck;
  readonly running: () => RoutedSet;
  /** Resolves when no change is in progress. */
  readonly settled: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

const intervalMs = 60_000;
/** After a change. Many changes in a row are checked together. */
const changePauseMs = 5_000;
const unknown: ForwardingState = { faults: [], chains: [] };

export function monitorForwarding(options: ForwardingMonitorOptions): ForwardingMonitor {
  const { check, running, settled, clock, log } = options;
  const stopping = new AbortController();
  let state = unknown;
  let changes = 0;
  let waiting = new AbortController();

  async function checkOnce(): Promise<void> {
    await settled();
    const before = changes;
    const inProgress = settled();
    const found = await check.run(running()).catch((error: unknown) => {
      log.warn({ err: error }, "could not check whether packets are forwarded");
      return unknown;
    });
    if (before === changes && inProgress === settled()) state = found;
  }

  async function loop(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await clock.sleep(intervalMs, AbortSignal.any([signal, waiting.signal]));
      if (waiting.signal.aborted) await clock.sleep(changePauseMs, signal);
      if (signal.aborted) return;
      waiting = new AbortController();
      await checkOnce();
    }
  }

  const looping = loop();
  return {
    findings: () => state.faults.map(({ finding }) => finding),
    chains: () => state.chains,
    isNotForwarded: (asn) => isConcerned(state.faults, asn),
    noteChange: () => {
      changes += 1;
      waiting.abort();
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await looping;
    },
  };
}

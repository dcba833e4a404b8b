/**
 * Sends probes in rounds, in the background, so that a status request costs none.
 *
 * Invariants: no packet is sent to a target whose route does not lead through its own interface, while the router is being
 * changed, and after disposal. The end of a tunnel is probed every 15 seconds, everything else once a minute; a miss is asked
 * again once. What a participant changes does not make it more often.
 */
import { type Family, familyOf } from "#domain/peering/bgp-sessions.ts";
import { ProcessError, type Run } from "#system/processes.ts";
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import { createThrottledWarning } from "../../throttled-warning.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import { probe } from "./fping.ts";
import { createProbeHistory, type ProbeHistory } from "./probe-history.ts";
import { findRouted, type RoutedTarget } from "./probe-routes.ts";
import { addressText, type ProbeTarget } from "./probe-target.ts";

export interface ProbeMonitor extends Pick<ProbeHistory, "isRouted">, AsyncDisposable {
  readonly resultOf: (target: ProbeTarget) => ReturnType<ProbeHistory["resultOf"]>;
  /** Why nothing could be probed in the last round; null if it could. */
  readonly problem: () => string | null;
  /** Ends the current round. Its remaining targets are the first of the next one. */
  readonly interrupt: () => void;
}

export interface ProbeMonitorOptions {
  readonly run: Run;
  /** What may be probed now. Of the targets of one interface, kind and family, the first one with a route is. */
  readonly targets: () => Promise<readonly ProbeTarget[]>;
  /** Resolves when no change is in progress. */
  readonly waitForIdle: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

const roundMs = 15_000;
/** While no tunnel is up or their number changes, so that a new tunnel gets a latency soon. */
const shortRoundMs = 2_000;
/** Targets that are probed once a minute are spread over this many rounds. */
const spreadRounds = 4;

/** A target of each group is probed at a time. */
const groupOf = memoizeByObject(
  ({ kind, interfaceName, family }: ProbeTarget) => `${kind} ${interfaceName} ${family}`,
);

export function monitorProbes(options: ProbeMonitorOptions): ProbeMonitor {
  const { run, clock, log } = options;
  const stopping = new AbortController();
  const history = createProbeHistory();
  /** When each group is due. */
  const dueAt = new Map<string, number>();
  const warn = createThrottledWarning(log, clock, "could not send probes");
  let interrupting = new AbortController();
  let problem: string | null = null;
  let tunnels = 0;

  /** Returns the targets that are due, those first that have waited longest. */
  function findDue(targets: readonly ProbeTarget[], now: number): readonly ProbeTarget[] {
    const groups = new Set(targets.map(groupOf));
    for (const group of dueAt.keys()) if (!groups.has(group)) dueAt.delete(group);
    let added = 0;
    for (const target of targets) {
      if (dueAt.has(groupOf(target))) continue;
      const rounds = target.kind === "tunnel" ? 0 : added++ % spreadRounds;
      dueAt.set(groupOf(target), now + rounds * roundMs);
    }
    const dueOf = (target: ProbeTarget) => dueAt.get(groupOf(target)) ?? now;
    return targets.filter((target) => dueOf(target) <= now).toSorted((a, b) => dueOf(a) - dueOf(b));
  }

  function record({ target, source }: RoutedTarget, roundTripMs: number | null, startedAt: number): void {
    history.add(target, source, { at: clock.now(), roundTripMs });
    const isFirstMiss = history.resultOf(target, clock.now())?.missesInRow === 1;
    const rounds = target.kind === "tunnel" || isFirstMiss ? 1 : spreadRounds;
    dueAt.set(groupOf(target), startedAt + rounds * roundMs);
  }

  async function runRound(signal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const targets = await options.targets();
    history.keep(targets);
    const due = findDue(targets, startedAt);
    tunnels = targets.filter(({ kind }) => kind === "tunnel").length;
    const routed = new Map((await findRouted(run, due)).map((one) => [one.target, one]));
    for (const target of due) {
      history.setRouted(target, routed.has(target));
      if (!routed.has(target)) dueAt.set(groupOf(target), startedAt + periodOf(target));
    }
    const chosen = new Map(
      Array.from(routed.values())
        .toReversed()
        .map((one) => [groupOf(one.target), one]),
    );
    if (signal.aborted || chosen.size === 0) return;
    const problems = await Promise.all(
      jobsOf(Array.from(chosen.values()).toReversed()).map(async ({ sources, byText }) => {
        const job = { sources, targets: Array.from(byText.keys()) };
        const result = await probe(run, job, signal);
        for (const [text, roundTripMs] of result.roundTrips)
          for (const one of byText.get(text) ?? []) record(one, roundTripMs, startedAt);
        return result.problem;
      }),
    );
    problem = problems.find((one) => one !== null) ?? null;
    if (problem !== null) warn({ problem });
  }

  async function loop(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      await options.waitForIdle();
      if (signal.aborted) return;
      interrupting = new AbortController();
      const [startedAt, before] = [clock.now(), tunnels];
      await runRound(AbortSignal.any([signal, interrupting.signal])).catch((error: unknown) => {
        if (error instanceof ProcessError) problem = error.message;
        warn({ err: error });
      });
      const isSteady = tunnels === before && before > 0;
      const elapsedMs = clock.now() - startedAt;
      await clock.sleep(isSteady ? Math.max(0, roundMs - elapsedMs) : shortRoundMs, signal);
    }
  }

  const running = loop();
  return {
    isRouted: history.isRouted,
    resultOf: (target) => history.resultOf(target, clock.now()),
    problem: () => problem,
    interrupt: () => interrupting.abort(),
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

const periodOf = ({ kind }: ProbeTarget) => (kind === "tunnel" ? roundMs : spreadRounds * roundMs);

interface Job {
  /** At most one of each address family. */
  readonly sources: readonly string[];
  /** Two targets may have the same address, which is probed once. */
  readonly byText: ReadonlyMap<string, readonly RoutedTarget[]>;
}

/** One process for the ends of tunnels, and one for each pair of sources of both address families. */
function jobsOf(routed: readonly RoutedTarget[]): readonly Job[] {
  const bySource = Array.from(Map.groupBy(routed, ({ target }) => target.source));
  const ofFamily = (family: Family) =>
    bySource.filter(([source]) => source !== null && familyOf(source) === family);
  const [ofIpv4, ofIpv6] = [ofFamily("IPv4"), ofFamily("IPv6")];
  const pairs = Array.from({ length: Math.max(ofIpv4.length, ofIpv6.length) }, (_, index) =>
    [ofIpv4[index], ofIpv6[index]].filter((one) => one !== undefined),
  );
  const ofTunnels = bySource.filter(([source]) => source === null);
  return [...(ofTunnels.length > 0 ? [ofTunnels] : []), ...pairs].map((parts) => ({
    sources: parts.flatMap(([source]) => source ?? []),
    byText: Map.groupBy(
      parts.flatMap(([, targets]) => targets),
      ({ target }) => addressText(target),
    ),
  }));
}

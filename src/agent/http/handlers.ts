import type { AgentCalls, ApplyOutcome } from "../../contract/agent.ts";
import type { CallResponse, CallBody } from "../../contract/call.ts";
import { maxCodedFacts } from "../../contract/agent/findings.ts";
import { HttpError } from "../../contract/http-error.ts";
import { isFault } from "../../domain/findings/findings.ts";
import { createSingleFlight, type SingleFlight } from "../../domain/concurrency/single-flight.ts";
import type { Clock } from "../clock.ts";
import type { PeeringObservation, RoutedPeering, Router, RouterFacts } from "../drivers/router.ts";
import type { EventLog } from "../events/event-log.ts";
import type { Log } from "../log.ts";
import type { AgentMetrics } from "../metrics/agent-metrics.ts";
import { assessPeerings } from "../observe/assess-peerings.ts";
import { checkBgp } from "../observe/check-bgp.ts";
import { findUnanswered } from "../observe/probe-findings.ts";
import { createRoundTripMeter } from "../observe/endpoint-round-trips.ts";
import { createConflictLog, type ConflictLog } from "../reconcile/conflict-log.ts";
import { type ApplyContext, applyDesired } from "../reconcile/apply-desired.ts";
import type { DesiredPeering } from "../reconcile/change.ts";
import type { OtherNodes } from "../reconcile/other-nodes.ts";
import type { EndpointMonitor } from "../reconcile/endpoint-monitor.ts";
import type { RepairPause } from "../reconcile/repair-pause.ts";
import { limitQueries } from "./router-queries.ts";

/** One handler for each call of the contract; a missing one fails the type check. */
export type Handlers = {
  readonly [Name in keyof AgentCalls]: (
    body: CallBody<AgentCalls[Name]>,
    signal: AbortSignal,
    /** Of the server, if the request came through a socket. */
    clientAddress?: string,
  ) => Promise<CallResponse<AgentCalls[Name]>>;
};

export interface HandlersContext extends ApplyContext {
  readonly node: string;
  readonly version: string;
  readonly facts: RouterFacts;
  readonly events: Pick<EventLog, "read">;
  readonly router: Router;
  readonly otherNodes: OtherNodes;
  readonly observed: SingleFlight<readonly PeeringObservation[]>;
  readonly endpointFindings: EndpointMonitor["findings"];
  readonly pauseFindings: RepairPause["findings"];
  readonly metrics: AgentMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Shares reads of the router between callers for a second, so that its work does not grow with their number. After a
 * failed read the next caller reads again.
 */
export function shareReads<T>(clock: Clock, read: (asn: string) => Promise<T>): SingleFlight<T> {
  return createSingleFlight(read, { maxAgeMs: 1000, now: clock.now, ageFrom: "end", sharesFailures: false });
}

export function createHandlers(context: HandlersContext): Handlers {
  const { node, version, facts, router, reconciler, observed, clock } = context;
  const health = shareReads(clock, router.health);
  const usage = shareReads(clock, router.usage);
  const links = shareReads(clock, router.links);
  const inUse = shareReads(clock, router.inUse);
  const queries = limitQueries(router);
  const details = shareReads(clock, queries.details);
  const received = shareReads(clock, queries.receivedRoutes);
  const refused = shareReads(clock, queries.refusedRoutes);
  const advertised = shareReads(clock, queries.advertisedRoutes);
  const sessions = shareReads(clock, queries.sessions);
  const measureRoundTrip = createRoundTripMeter(router, context.lookup);
  const conflicts = createConflictLog(clock);

  /** Returns the peering that runs for an AS, or throws the contract's 404. */
  function findRunning(asn: string): RoutedPeering {
    const routed = reconciler.applied().get(asn)?.routed;
    if (!routed) {
      throw new HttpError(404, { message: `This node has no peering with AS${asn}.`, field: "asn" });
    }
    return routed;
  }

  return {
    facts: async () => ({ node, version, ...facts, keys: [...router.nodeKeys()] }),
    addNodeKey: async ({ id }) => ({ publicKey: await router.addNodeKey(id) }),
    removeNodeKey: async ({ publicKey }) => {
      await reconciler.exclusive(() => removeNodeKey(publicKey, context));
      return {};
    },
    apply: (request) => apply(request, context, conflicts),
    progress: async ({ asn, generation }) => ({ steps: reconciler.progress(asn, generation) }),
    generations: async () =>
      Array.from(reconciler.applied().values(), ({ routed, ...applied }) => ({
        ...applied,
        present: routed !== null,
      })),
    peerings: async () =>
      Array.from(reconciler.applied().values(), ({ routed, ...applied }) => {
        if (!routed) return { ...applied, peering: null };
        const { presharedKey, ...peering } = routed.peering;
        return { ...applied, peering, ...(presharedKey !== undefined && { hasPresharedKey: true }) };
      }),
    pair: async ({ database, peerings }) => {
      const changed = await reconciler.pair(database, peerings);
      conflicts.clear();
      context.log.info({ database, count: peerings.length - changed.length, changed }, "peerings paired");
      return { changed: [...changed] };
    },
    exposure: async () => ({
      own: await router.exposure(),
      known: context.otherNodes
        .current()
        .nodes.map((other) => ({ node: other.node, version: other.version })),
      strictSource: context.otherNodes.current().strictSource,
      providerVersion: context.otherNodes.current().provider?.version ?? null,
    }),
    setOtherNodes: async (change, _, clientAddress) => {
      await context.otherNodes.update(change, clientAddress, reconciler.exclusive);
      return {};
    },
    events: async ({ after }) => {
      const { now, events } = context.events.read(after);
      return { now, events: [...events] };
    },
    health: async () => {
      const read = await health.get();
      const conflict = conflicts.finding();
      const all = [
        ...reconciler.outOfSyncFindings(),
        ...(await context.pauseFindings()),
        ...(conflict ? [conflict] : []),
        ...read.findings,
        // What cannot be observed is no finding here: a BIRD that does not reply is among those that were read.
        ...findUnanswered(await observed.get().catch(() => [])),
      ];
      const findings = all.slice(0, maxCodedFacts);
      return { ...read, version, status: findings.some(isFault) ? "Issues" : "OK", findings };
    },
    usage: () => usage.get(),
    observe: async () => {
      const observations = await observed.get();
      return [...assessPeerings(reconciler.applied(), observations, context.endpointFindings())];
    },
    observePeering: async ({ asn }) => {
      const observations = await observed.get();
      const own = reconciler.applied().get(asn);
      const applied = new Map(own && [[asn, own]]);
      const [peering = null] = assessPeerings(applied, observations, context.endpointFindings());
      return { peering };
    },
    links: async () => [...(await links.get())],
    inUse: () => inUse.get(),
    roundTrip: async ({ host }) => ({ latencyMs: await measureRoundTrip(host) }),
    details: async ({ asn }) => {
      findRunning(asn);
      return details.get(asn);
    },
    checkBgp: async ({ asn }) => {
      const { peering } = findRunning(asn);
      return checkBgp(peering, await sessions.get(asn));
    },
    restartBgp: async ({ asn }) => {
      findRunning(asn);
      const restarted = await queries.restartBgp(asn);
      observed.invalidate();
      return restarted;
    },
    receivedRoutes: async ({ asn }) => {
      findRunning(asn);
      return { output: await received.get(asn) };
    },
    refusedRoutes: async ({ asn }) => {
      findRunning(asn);
      return refused.get(asn);
    },
    advertisedRoutes: async ({ asn }) => {
      findRunning(asn);
      return { output: await advertised.get(asn) };
    },
    ping: async ({ asn, family }, signal) => {
      const { peering } = findRunning(asn);
      const address = family === "ipv4" ? peering.peerIpv4 : peering.peerIpv6;
      return address === null ? { result: "failed", output: "" } : queries.ping(asn, address, signal);
    },
  };
}

/** No change of a peering may run meanwhile. Throws an `HttpError` if a tunnel uses the key. */
async function removeNodeKey(publicKey: string, { router, reconciler }: HandlersContext): Promise<void> {
  if (publicKey === router.nodeKeys()[0]) {
    const message = "This is the node's first WireGuard key. The agent never deletes it.";
    throw new HttpError(409, { message });
  }
  const applied = Array.from(reconciler.applied().values());
  const user = applied.find(({ routed }) => routed?.peering.nodeKey === publicKey);
  if (user) {
    const message = `The peering with AS${user.asn} uses this WireGuard key. Move it to another key of the node first.`;
    throw new HttpError(409, { message });
  }
  await router.removeNodeKey(publicKey);
}

async function apply(
  request: DesiredPeering,
  context: HandlersContext,
  conflicts: ConflictLog,
): Promise<ApplyOutcome> {
  const { metrics, clock, observed } = context;
  const startedAt = clock.now();
  const recordOutcome = (outcome: ApplyOutcome["outcome"] | "failed") => {
    const ms = clock.now() - startedAt;
    metrics.recordApply(outcome, ms / 1000);
    return Math.round(ms * 10) / 10;
  };
  try {
    const outcome = await applyDesired(request, context);
    const ms = recordOutcome(outcome.outcome);
    if (outcome.conflict === true) conflicts.record(request.asn);
    const { asn, generation, desired } = request;
    context.log.info({ asn, generation, present: desired !== null, ms, ...outcome }, "change decided");
    return outcome;
  } catch (error) {
    recordOutcome("failed");
    throw error;
  } finally {
    observed.invalidate();
  }
}

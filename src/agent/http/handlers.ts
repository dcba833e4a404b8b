import type { AgentCalls, ApplyOutcome } from "../../contract/agent.ts";
import type { CallAnswer, CallBody } from "../../contract/call.ts";
import type { Clock } from "../clock.ts";
import type { PeeringObservation, RoutedPeering, Router, RouterFacts } from "../drivers/router.ts";
import type { Log } from "../log.ts";
import type { AgentMetrics } from "../metrics/agent-metrics.ts";
import { checkBgp } from "../observe/check-bgp.ts";
import { observePeerings } from "../observe/observe-peerings.ts";
import { type Shared, share, shareEach } from "../observe/share.ts";
import { type ApplyContext, applyWanted } from "../reconcile/apply-wanted.ts";
import type { Wanted } from "../reconcile/change.ts";
import { HttpFailure } from "./http-failure.ts";

/** One function for each call of the table: a missing one does not pass the type check. */
export type Handlers = {
  readonly [Name in keyof AgentCalls]: (
    body: CallBody<AgentCalls[Name]>,
    signal: AbortSignal,
  ) => Promise<CallAnswer<AgentCalls[Name]>>;
};

export interface HandlersContext extends ApplyContext {
  readonly node: string;
  readonly facts: RouterFacts;
  readonly router: Router;
  readonly observed: Shared<readonly PeeringObservation[]>;
  readonly metrics: AgentMetrics;
  readonly clock: Clock;
  readonly log: Log;
}

export function createHandlers(context: HandlersContext): Handlers {
  const { node, facts, router, reconciler, observed, clock } = context;
  const health = share(clock, router.health);
  const usage = share(clock, router.usage);
  const links = share(clock, router.links);
  const details = shareEach(clock, router.details);
  const received = shareEach(clock, router.receivedRoutes);
  const refused = shareEach(clock, router.refusedRoutes);
  const advertised = shareEach(clock, router.advertisedRoutes);
  const sessions = shareEach(clock, router.sessions);

  /** The peering that runs for an AS, or the 404 of the contract. */
  function running(asn: string): RoutedPeering {
    const routed = reconciler.held().get(asn)?.routed;
    if (!routed) {
      throw new HttpFailure(404, { message: `${node} runs no peering with AS${asn}.`, field: "asn" });
    }
    return routed;
  }

  return {
    facts: async () => ({ node, ...facts }),
    apply: (wanted) => apply(wanted, context),
    generations: async () =>
      Array.from(reconciler.held().values(), ({ asn, generation, routed }) => ({
        asn,
        generation,
        present: routed !== null,
      })),
    health: async () => {
      const { issues: told, ...rest } = await health.read();
      const doubt = reconciler.unsettled();
      const issues = doubt === null ? [...told] : [...told, doubt];
      return { ...rest, issues, status: issues.length === 0 ? "OK" : "Issues" };
    },
    usage: () => usage.read(),
    observe: async () => [...observePeerings(reconciler.held(), await observed.read())],
    links: async () => [...(await links.read())],
    details: async ({ asn }) => {
      running(asn);
      return details(asn);
    },
    checkBgp: async ({ asn }) => {
      const { peering } = running(asn);
      return checkBgp(peering, await sessions(asn));
    },
    restartBgp: async ({ asn }) => {
      running(asn);
      const restarted = await router.restartBgp(asn);
      observed.forget();
      return restarted;
    },
    receivedRoutes: async ({ asn }) => {
      running(asn);
      return { output: await received(asn) };
    },
    refusedRoutes: async ({ asn }) => {
      running(asn);
      return refused(asn);
    },
    advertisedRoutes: async ({ asn }) => {
      running(asn);
      return { output: await advertised(asn) };
    },
    ping: async ({ asn, family }, signal) => {
      const { peering } = running(asn);
      const address = family === "ipv4" ? peering.peerIpv4 : peering.peerIpv6;
      if (address !== null) return router.ping(asn, address, signal);
      const name = family === "ipv4" ? "IPv4" : "IPv6";
      return {
        result: "failed",
        output: `The peering with AS${asn} has no ${name} tunnel address, so there is nothing to ping.`,
      };
    },
  };
}

async function apply(wanted: Wanted, context: HandlersContext): Promise<ApplyOutcome> {
  const { metrics, clock, observed } = context;
  const begun = clock.now();
  const count = (outcome: ApplyOutcome["outcome"] | "failed") => {
    const ms = clock.now() - begun;
    metrics.applied(outcome, ms / 1000);
    return Math.round(ms * 10) / 10;
  };
  try {
    const outcome = await applyWanted(wanted, context);
    const ms = count(outcome.outcome);
    const { asn, generation, desired } = wanted;
    context.log.info({ asn, generation, present: desired !== null, ms, ...outcome }, "a change was decided");
    return outcome;
  } catch (error) {
    count("failed");
    throw error;
  } finally {
    observed.forget();
  }
}

import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ApplyOutcome, NodeHealth, ObservedPeering } from "../../contract/agent.ts";
import { established } from "../observe/session-findings.ts";

/** `failed`: the router's state is unknown, and the server has to send the change again. */
export type ApplyResult = ApplyOutcome["outcome"] | "failed";

const applyResults: readonly ApplyResult[] = ["applied", "refused", "superseded", "failed"];

/** Upper bounds of the buckets of the apply time, in seconds. */
const applyBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The readings of one scrape. */
export interface MetricsState {
  readonly deletedPeerings: number;
  /** Whether the router is known to run the applied configuration. */
  readonly isInSync: boolean;
  /** Null if the router does not respond; its metrics are then missing, and `router_up` is 0. */
  readonly router: { readonly peerings: readonly ObservedPeering[]; readonly health: NodeHealth } | null;
}

export interface AgentMetrics {
  readonly recordApply: (result: ApplyResult, seconds: number) => void;
  /** Renders all metrics in the Prometheus text format. */
  readonly render: (state: MetricsState) => Promise<string>;
}

/** Creates the metrics of one agent, in registries of their own. */
export function createAgentMetrics(node: string, version: string): AgentMetrics {
  const agentRegistry = new Registry();
  new Gauge({
    name: "peerdeck_agent_info",
    help: "1, with the version of the agent.",
    labelNames: ["node", "version"],
    registers: [agentRegistry],
  }).set({ node, version }, 1);
  const setAgentGauges = createAgentGauges(node, agentRegistry);
  const applies = new Counter({
    name: "peerdeck_agent_applies_total",
    help: "Changes by outcome.",
    labelNames: ["node", "outcome"],
    registers: [agentRegistry],
  });
  for (const outcome of applyResults) applies.inc({ node, outcome }, 0);
  const applySeconds = new Histogram({
    name: "peerdeck_agent_apply_seconds",
    help: "Time from a change's arrival to its outcome.",
    labelNames: ["node"],
    buckets: applyBuckets,
    registers: [agentRegistry],
  });
  applySeconds.zero({ node });
  const routerRegistry = new Registry();
  const setRouterGauges = createRouterGauges(node, routerRegistry);
  return {
    recordApply: (result, seconds) => {
      applies.inc({ node, outcome: result });
      applySeconds.observe({ node }, seconds);
    },
    render: async (state) => {
      setAgentGauges(state);
      const agentMetrics = await agentRegistry.metrics();
      if (state.router === null) return agentMetrics;
      setRouterGauges(state.router);
      return `${agentMetrics}\n${await routerRegistry.metrics()}`;
    },
  };
}

function createAgentGauges(node: string, registry: Registry): (state: MetricsState) => void {
  const routerUp = createGauge(registry, "router_up", "Whether the router responds.");
  const inSync = createGauge(
    registry,
    "in_sync",
    "Whether the router is known to run the applied configuration.",
  );
  const deletedPeerings = createGauge(
    registry,
    "deleted_peerings",
    "Deleted peerings whose generation is stored.",
  );
  return (state) => {
    routerUp.set({ node }, Number(state.router !== null));
    inSync.set({ node }, Number(state.isInSync));
    deletedPeerings.set({ node }, state.deletedPeerings);
  };
}

function createRouterGauges(
  node: string,
  registry: Registry,
): (router: NonNullable<MetricsState["router"]>) => void {
  const peeringsByTunnel = createGauge(registry, "peerings", "Peerings by the state of their tunnel.", [
    "tunnel",
  ]);
  const sessions = createGauge(registry, "bgp_sessions", "BGP sessions of participants.");
  const establishedSessions = createGauge(
    registry,
    "bgp_sessions_established",
    "BGP sessions of participants that are Established.",
  );
  const sessionsByState = createGauge(
    registry,
    "bgp_sessions_by_state",
    "BGP sessions of participants by state, in BIRD's words.",
    ["state"],
  );
  const received = createGauge(
    registry,
    "received_bytes",
    "Bytes received through participants' tunnels, as counted by the interfaces.",
  );
  const transmitted = createGauge(
    registry,
    "transmitted_bytes",
    "Bytes sent through participants' tunnels, as counted by the interfaces.",
  );
  const load = createGauge(registry, "node_load", "Load averages of the node.", ["minutes"]);
  const uptime = createGauge(registry, "node_uptime_seconds", "Time since the node started.");
  const issues = createGauge(registry, "node_issues", "Number of issues of the node.");
  const roaAge = createGauge(registry, "roa_age_seconds", "Time since BIRD got the newest ROAs.");
  return ({ peerings, health }) => {
    const tunnels = peerings.map(({ tunnel }) => tunnel);
    const up = tunnels.filter(({ state }) => state === "Up").length;
    const states = peerings.flatMap((peering) => peering.sessions.map(({ state }) => state));
    peeringsByTunnel.set({ node, tunnel: "up" }, up);
    peeringsByTunnel.set({ node, tunnel: "down" }, tunnels.length - up);
    sessions.set({ node }, states.length);
    establishedSessions.set({ node }, states.filter((state) => state === established).length);
    sessionsByState.reset();
    for (const state of states) sessionsByState.inc({ node, state });
    received.set({ node }, sum(tunnels.map(({ rxBytes }) => rxBytes)));
    transmitted.set({ node }, sum(tunnels.map(({ txBytes }) => txBytes)));
    for (const [index, minutes] of ["1", "5", "15"].entries()) {
      load.set({ node, minutes }, health.load[index] ?? 0);
    }
    uptime.set({ node }, health.uptimeSeconds);
    issues.set({ node }, health.findings.length);
    roaAge.reset();
    if (health.roaAgeSeconds !== undefined) roaAge.set({ node }, health.roaAgeSeconds);
  };
}

function createGauge(registry: Registry, name: string, help: string, labelNames: readonly string[] = []) {
  return new Gauge({
    name: `peerdeck_agent_${name}`,
    help,
    labelNames: ["node", ...labelNames],
    registers: [registry],
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

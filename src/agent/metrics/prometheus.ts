/** The text form of Prometheus, version 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
import type { NodeHealth, ObservedPeering } from "../../contract/agent.ts";
import { established } from "../observe/judge-bgp.ts";
import { type AgentMetrics, applyBuckets, applyResults } from "./agent-metrics.ts";

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

export interface MetricsState {
  readonly node: string;
  readonly metrics: AgentMetrics;
  readonly deletedPeerings: number;
  /** Whether the router is known to run what is confirmed. */
  readonly settled: boolean;
  /** Null where the router could not be asked; its lines are then missing, and `router_up` is 0. */
  readonly router: { readonly peerings: readonly ObservedPeering[]; readonly health: NodeHealth } | null;
}

interface Family {
  readonly name: string;
  readonly type: "gauge" | "counter" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export function renderMetrics(state: MetricsState): string {
  return [...agentFamilies(state), ...routerFamilies(state)]
    .flatMap((family) => renderFamily(family, state.node))
    .map((line) => `${line}\n`)
    .join("");
}

function agentFamilies({ metrics, deletedPeerings, settled, router }: MetricsState): readonly Family[] {
  const { atMost, sum, count } = metrics.applySeconds();
  return [
    gauge("router_up", "Whether the router could be asked.", [{ value: Number(router !== null) }]),
    gauge("settled", "Whether the router is known to run what is confirmed.", [{ value: Number(settled) }]),
    gauge("deleted_peerings", "Deleted peerings whose generation is remembered.", [
      { value: deletedPeerings },
    ]),
    {
      name: "applies_total",
      type: "counter",
      help: "Changes by how they ended.",
      samples: applyResults.map((outcome) => ({ labels: { outcome }, value: metrics.appliesOf(outcome) })),
    },
    {
      name: "apply_seconds",
      type: "histogram",
      help: "Time from a change's arrival to its answer.",
      samples: [
        ...applyBuckets.map((le, index) => ({
          suffix: "_bucket",
          labels: { le: String(le) },
          value: atMost[index] ?? 0,
        })),
        { suffix: "_bucket", labels: { le: "+Inf" }, value: count },
        { suffix: "_sum", value: sum },
        { suffix: "_count", value: count },
      ],
    },
  ];
}

function routerFamilies({ router }: MetricsState): readonly Family[] {
  if (!router) return [];
  const { peerings, health } = router;
  const sessions = peerings.flatMap((peering) => peering.sessions);
  const up = peerings.filter(({ tunnel }) => tunnel.state === "Up").length;
  const sum = (key: "rxBytes" | "txBytes") => peerings.reduce((total, { tunnel }) => total + tunnel[key], 0);
  return [
    gauge("peerings", "Peerings by the state of their tunnel.", [
      { labels: { tunnel: "up" }, value: up },
      { labels: { tunnel: "down" }, value: peerings.length - up },
    ]),
    gauge("bgp_sessions", "BGP sessions of participants.", [{ value: sessions.length }]),
    gauge("bgp_sessions_established", "BGP sessions of participants that are Established.", [
      { value: sessions.filter(({ state }) => state === established).length },
    ]),
    gauge("received_bytes", "Bytes received through participants' tunnels, as their interfaces count.", [
      { value: sum("rxBytes") },
    ]),
    gauge("transmitted_bytes", "Bytes sent through participants' tunnels, as their interfaces count.", [
      { value: sum("txBytes") },
    ]),
    gauge(
      "node_load",
      "Load averages of the node.",
      health.load.map((value, index) => ({ labels: { minutes: ["1", "5", "15"][index] ?? "" }, value })),
    ),
    gauge("node_uptime_seconds", "Time since the node started.", [{ value: health.uptimeSeconds }]),
    gauge("node_issues", "Things that are wrong with the node.", [{ value: health.issues.length }]),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: "gauge", help, samples };
}

function renderFamily({ name, type, help, samples }: Family, node: string): readonly string[] {
  const full = `peerdeck_agent_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...samples.map(({ suffix = "", labels = {}, value }) => {
      const pairs = Object.entries({ node, ...labels }).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
      return `${full}${suffix}{${pairs.join(",")}} ${value}`;
    }),
  ];
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

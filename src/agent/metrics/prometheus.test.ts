import { expect, test } from "vitest";
import { dualStackOf, routed } from "../fixtures/peerings.ts";
import { observePeerings } from "../observe/observe-peerings.ts";
import { heldSet } from "../reconcile/held-peering.ts";
import { createAgentMetrics } from "./agent-metrics.ts";
import { renderMetrics } from "./prometheus.ts";

test("the whole page", () => {
  const metrics = createAgentMetrics();
  metrics.applied("applied", 0.7);
  metrics.applied("applied", 3);
  metrics.applied("refused", 90);
  const held = heldSet([{ asn: "4242420001", generation: 1, routed: routed(dualStackOf(1)) }]);
  const peerings = observePeerings(held, [
    {
      asn: "4242420001",
      rxBytes: 2000,
      txBytes: 1000,
      handshakeAgeSeconds: 3,
      latencyMs: 9,
      sessions: [{ name: "dn42_4242420001_v4", state: "Established", detail: "" }],
    },
  ]);
  const health = { status: "OK", uptimeSeconds: 99, load: [0.5, 0.4, 0.3], issues: [] } as const;
  const text = renderMetrics({
    node: 'syd"01',
    metrics,
    deletedPeerings: 2,
    settled: true,
    router: { peerings, health: { ...health, load: [...health.load], issues: [] } },
  });
  expect(text).toBe(`\
# HELP peerdeck_agent_router_up Whether the router could be asked.
# TYPE peerdeck_agent_router_up gauge
peerdeck_agent_router_up{node="syd\\"01"} 1
# HELP peerdeck_agent_settled Whether the router is known to run what is confirmed.
# TYPE peerdeck_agent_settled gauge
peerdeck_agent_settled{node="syd\\"01"} 1
# HELP peerdeck_agent_deleted_peerings Deleted peerings whose generation is remembered.
# TYPE peerdeck_agent_deleted_peerings gauge
peerdeck_agent_deleted_peerings{node="syd\\"01"} 2
# HELP peerdeck_agent_applies_total Changes by how they ended.
# TYPE peerdeck_agent_applies_total counter
peerdeck_agent_applies_total{node="syd\\"01",outcome="applied"} 2
peerdeck_agent_applies_total{node="syd\\"01",outcome="refused"} 1
peerdeck_agent_applies_total{node="syd\\"01",outcome="superseded"} 0
peerdeck_agent_applies_total{node="syd\\"01",outcome="failed"} 0
# HELP peerdeck_agent_apply_seconds Time from a change's arrival to its answer.
# TYPE peerdeck_agent_apply_seconds histogram
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="0.01"} 0
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="0.05"} 0
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="0.1"} 0
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="0.5"} 0
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="1"} 1
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="2.5"} 1
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="5"} 2
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="10"} 2
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="30"} 2
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="60"} 2
peerdeck_agent_apply_seconds_bucket{node="syd\\"01",le="+Inf"} 3
peerdeck_agent_apply_seconds_sum{node="syd\\"01"} 93.7
peerdeck_agent_apply_seconds_count{node="syd\\"01"} 3
# HELP peerdeck_agent_peerings Peerings by the state of their tunnel.
# TYPE peerdeck_agent_peerings gauge
peerdeck_agent_peerings{node="syd\\"01",tunnel="up"} 1
peerdeck_agent_peerings{node="syd\\"01",tunnel="down"} 0
# HELP peerdeck_agent_bgp_sessions BGP sessions of participants.
# TYPE peerdeck_agent_bgp_sessions gauge
peerdeck_agent_bgp_sessions{node="syd\\"01"} 2
# HELP peerdeck_agent_bgp_sessions_established BGP sessions of participants that are Established.
# TYPE peerdeck_agent_bgp_sessions_established gauge
peerdeck_agent_bgp_sessions_established{node="syd\\"01"} 1
# HELP peerdeck_agent_received_bytes Bytes received through participants' tunnels, as their interfaces count.
# TYPE peerdeck_agent_received_bytes gauge
peerdeck_agent_received_bytes{node="syd\\"01"} 2000
# HELP peerdeck_agent_transmitted_bytes Bytes sent through participants' tunnels, as their interfaces count.
# TYPE peerdeck_agent_transmitted_bytes gauge
peerdeck_agent_transmitted_bytes{node="syd\\"01"} 1000
# HELP peerdeck_agent_node_load Load averages of the node.
# TYPE peerdeck_agent_node_load gauge
peerdeck_agent_node_load{node="syd\\"01",minutes="1"} 0.5
peerdeck_agent_node_load{node="syd\\"01",minutes="5"} 0.4
peerdeck_agent_node_load{node="syd\\"01",minutes="15"} 0.3
# HELP peerdeck_agent_node_uptime_seconds Time since the node started.
# TYPE peerdeck_agent_node_uptime_seconds gauge
peerdeck_agent_node_uptime_seconds{node="syd\\"01"} 99
# HELP peerdeck_agent_node_issues Things that are wrong with the node.
# TYPE peerdeck_agent_node_issues gauge
peerdeck_agent_node_issues{node="syd\\"01"} 0
`);
});

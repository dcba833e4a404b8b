import { expect, test } from "vitest";
import type { NodeHealth } from "../../contract/agent.ts";
import { database, dualStackOf, routed } from "../fixtures/peerings.ts";
import { assessPeerings } from "../observe/assess-peerings.ts";
import { appliedSet } from "../reconcile/applied-peering.ts";
import { createAgentMetrics } from "./agent-metrics.ts";

test("renders the whole page", async () => {
  const metrics = createAgentMetrics('syd"01', "0.1.0");
  metrics.recordApply("applied", 0.7);
  metrics.recordApply("applied", 3);
  metrics.recordApply("refused", 90);
  const applied = appliedSet([
    { asn: "4242420001", generation: 1, routed: routed(dualStackOf(1)), database },
  ]);
  const observed = {
    asn: "4242420001",
    rxBytes: 2000,
    txBytes: 1000,
    handshakeAgeSeconds: 3,
    latencyMs: 9,
    sessions: [{ name: "dn42_4242420001_v4", state: "Established", detail: "", routes: [] }],
  };
  const peerings = assessPeerings(applied, [observed], new Map());
  const health: NodeHealth = {
    status: "OK",
    uptimeSeconds: 99,
    load: [0.5, 0.4, 0.3],
    findings: [],
    roaAgeSeconds: 61,
    version: "0.1.0",
  };
  const text = await metrics.render({
    deletedPeerings: 2,
    isInSync: true,
    router: { peerings, health },
  });
  const described = /^# HELP .*\n|\n(?=\n)/gm;
  expect(text.replaceAll(described, "")).toBe(`\
# TYPE peerdeck_agent_info gauge
peerdeck_agent_info{node="syd\\"01",version="0.1.0"} 1
# TYPE peerdeck_agent_router_up gauge
peerdeck_agent_router_up{node="syd\\"01"} 1
# TYPE peerdeck_agent_in_sync gauge
peerdeck_agent_in_sync{node="syd\\"01"} 1
# TYPE peerdeck_agent_deleted_peerings gauge
peerdeck_agent_deleted_peerings{node="syd\\"01"} 2
# TYPE peerdeck_agent_applies_total counter
peerdeck_agent_applies_total{node="syd\\"01",outcome="applied"} 2
peerdeck_agent_applies_total{node="syd\\"01",outcome="refused"} 1
peerdeck_agent_applies_total{node="syd\\"01",outcome="superseded"} 0
peerdeck_agent_applies_total{node="syd\\"01",outcome="failed"} 0
# TYPE peerdeck_agent_apply_seconds histogram
peerdeck_agent_apply_seconds_bucket{le="0.01",node="syd\\"01"} 0
peerdeck_agent_apply_seconds_bucket{le="0.05",node="syd\\"01"} 0
peerdeck_agent_apply_seconds_bucket{le="0.1",node="syd\\"01"} 0
peerdeck_agent_apply_seconds_bucket{le="0.5",node="syd\\"01"} 0
peerdeck_agent_apply_seconds_bucket{le="1",node="syd\\"01"} 1
peerdeck_agent_apply_seconds_bucket{le="2.5",node="syd\\"01"} 1
peerdeck_agent_apply_seconds_bucket{le="5",node="syd\\"01"} 2
peerdeck_agent_apply_seconds_bucket{le="10",node="syd\\"01"} 2
peerdeck_agent_apply_seconds_bucket{le="30",node="syd\\"01"} 2
peerdeck_agent_apply_seconds_bucket{le="60",node="syd\\"01"} 2
peerdeck_agent_apply_seconds_bucket{le="+Inf",node="syd\\"01"} 3
peerdeck_agent_apply_seconds_sum{node="syd\\"01"} 93.7
peerdeck_agent_apply_seconds_count{node="syd\\"01"} 3
# TYPE peerdeck_agent_peerings gauge
peerdeck_agent_peerings{node="syd\\"01",tunnel="up"} 1
peerdeck_agent_peerings{node="syd\\"01",tunnel="down"} 0
# TYPE peerdeck_agent_bgp_sessions gauge
peerdeck_agent_bgp_sessions{node="syd\\"01"} 2
# TYPE peerdeck_agent_bgp_sessions_established gauge
peerdeck_agent_bgp_sessions_established{node="syd\\"01"} 1
# TYPE peerdeck_agent_bgp_sessions_by_state gauge
peerdeck_agent_bgp_sessions_by_state{node="syd\\"01",state="Established"} 1
peerdeck_agent_bgp_sessions_by_state{node="syd\\"01",state="Not found"} 1
# TYPE peerdeck_agent_received_bytes gauge
peerdeck_agent_received_bytes{node="syd\\"01"} 2000
# TYPE peerdeck_agent_transmitted_bytes gauge
peerdeck_agent_transmitted_bytes{node="syd\\"01"} 1000
# TYPE peerdeck_agent_node_load gauge
peerdeck_agent_node_load{node="syd\\"01",minutes="1"} 0.5
peerdeck_agent_node_load{node="syd\\"01",minutes="5"} 0.4
peerdeck_agent_node_load{node="syd\\"01",minutes="15"} 0.3
# TYPE peerdeck_agent_node_uptime_seconds gauge
peerdeck_agent_node_uptime_seconds{node="syd\\"01"} 99
# TYPE peerdeck_agent_node_issues gauge
peerdeck_agent_node_issues{node="syd\\"01"} 0
# TYPE peerdeck_agent_roa_age_seconds gauge
peerdeck_agent_roa_age_seconds{node="syd\\"01"} 61
`);
});

test("without a response of the router there are only the agent's own metrics", async () => {
  const text = await createAgentMetrics("syd01", "0.1.0").render({
    deletedPeerings: 0,
    isInSync: false,
    router: null,
  });
  expect(text).toContain('peerdeck_agent_router_up{node="syd01"} 0\n');
  expect(text).toContain('peerdeck_agent_apply_seconds_count{node="syd01"} 0\n');
  expect(text).not.toContain("peerdeck_agent_peerings");
});

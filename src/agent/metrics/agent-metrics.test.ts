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
  const asn = "4242420001";
  const applied = appliedSet([{ asn, generation: 1, routed: routed(dualStackOf(1)), database }]);
  const observed = {
    asn,
    rxBytes: 2000,
    txBytes: 1000,
    handshakeAgeSeconds: 3,
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
  const text = await metrics.render({ deletedPeerings: 2, isInSync: true, router: { peerings, health } });
  await expect(text).toMatchFileSnapshot("golden/metrics.txt");
});

test("without a response of the router there are only the agent's own metrics", async () => {
  const own = { deletedPeerings: 0, isInSync: false, router: null };
  const text = await createAgentMetrics("syd01", "0.1.0").render(own);
  expect(text).toContain('peerdeck_agent_router_up{node="syd01"} 0\n');
  expect(text).toContain('peerdeck_agent_apply_seconds_count{node="syd01"} 0\n');
  expect(text).not.toContain("peerdeck_agent_peerings");
});

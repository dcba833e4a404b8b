import { expect, test } from "vitest";
import type { ObservedPeering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import { presentObserved } from "./peer-status.ts";

/** An Established peering of which this was found. */
function observed(finding: Finding, tunnel: Partial<ObservedPeering["tunnel"]> = {}): ObservedPeering {
  return {
    asn: "4242420001",
    tunnel: {
      state: "Up",
      rxBytes: 0,
      txBytes: 0,
      handshakeAgeSeconds: 1,
      latencyMs: null,
      lossPercent: null,
      endpoint: null,
      ...tunnel,
    },
    bgpStatus: "OK",
    sessions: [],
    findings: [finding],
  };
}

test.each<[Finding, string, number]>([
  [{ code: "packet-loss", facts: { percent: 25 } }, "OK", 0],
  [{ code: "capabilities-unknown", facts: { session: "s" } }, "OK", 0],
  [{ code: "family-not-announced", facts: { session: "s", family: "IPv6" } }, "Issues", 0],
  [{ code: "node-not-forwarding", facts: {} }, "OK", 1],
])("the status of BGP with %j is %s, with %i issues of the tunnel", (finding, bgpStatus, issues) => {
  const { bgp_status, wg_status } = presentObserved("de01", observed(finding), null);
  expect([bgp_status, wg_status.issues.length]).toEqual([bgpStatus, issues]);
});

test("loss and latency that are not known are empty, and none is no loss", () => {
  const finding: Finding = { code: "no-endpoint", facts: {} };
  const of = (tunnel: Partial<ObservedPeering["tunnel"]>) => {
    const { latency, wg_status } = presentObserved("de01", observed(finding, tunnel), null);
    return [latency, wg_status.loss];
  };
  expect(of({})).toEqual(["", ""]);
  expect(of({ latencyMs: 0, lossPercent: 0 })).toEqual(["0.0 ms", "0%"]);
  expect(of({ lossPercent: 100 })).toEqual(["", "100%"]);
});

import type { ObservedPeering } from "../../../contract/agent.ts";
import type { PeerStatus } from "../../../contract/entities.ts";
import { formatBytes, formatLatency } from "./units.ts";

export type Deployment = PeerStatus["deployment"];

/** What an agent observed of a peering, as the app shows it. */
export function presentObserved(node: string, observed: ObservedPeering, deployment: Deployment): PeerStatus {
  const { tunnel } = observed;
  return {
    node,
    bgp_status: observed.bgpStatus,
    wg_status: {
      state: tunnel.state,
      issues: tunnel.issues,
      tx: formatBytes(tunnel.txBytes),
      rx: formatBytes(tunnel.rxBytes),
    },
    latency: formatLatency(tunnel.latencyMs),
    sessions: observed.sessions,
    bgp_issues: observed.bgpIssues,
    deployment,
  };
}

/** A peering of which nothing was observed, with the reason. */
export function presentUnobserved(
  node: string,
  bgpStatus: "Down" | "Not found",
  reason: string,
  deployment: Deployment,
): PeerStatus {
  return {
    node,
    bgp_status: bgpStatus,
    wg_status: { state: "Down", issues: [reason], tx: formatBytes(0), rx: formatBytes(0) },
    latency: "",
    sessions: [],
    bgp_issues: [],
    deployment,
  };
}

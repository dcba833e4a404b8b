import type { ObservedPeering } from "../../../contract/agent.ts";
import type { PeerStatus } from "../../../contract/entities.ts";
import { spokenAge } from "../../../domain/age.ts";
import { formatBytes, formatLatency } from "./units.ts";

export type Deployment = PeerStatus["deployment"];

/** What an agent observed of a peering, as the app shows it. */
export function presentObserved(node: string, observed: ObservedPeering, deployment: Deployment): PeerStatus {
  const { tunnel } = observed;
  return {
    node,
    known: true,
    bgp_status: observed.bgpStatus,
    wg_status: {
      state: tunnel.state,
      issues: tunnel.issues,
      tx: formatBytes(tunnel.txBytes),
      rx: formatBytes(tunnel.rxBytes),
      handshake: tunnel.handshakeAgeSeconds === null ? "" : spokenAge(tunnel.handshakeAgeSeconds),
    },
    latency: formatLatency(tunnel.latencyMs),
    sessions: observed.sessions,
    bgp_issues: observed.bgpIssues,
    deployment,
  };
}

/** A peering that its node does not run, with the reason. */
export function presentNotRun(node: string, reason: string, deployment: Deployment): PeerStatus {
  return { ...nothingOf(node, reason, deployment), known: true, bgp_status: "Not found" };
}

/** A peering on a node that does not answer; the spec has no word for what is not known. */
export function presentUnknown(node: string, deployment: Deployment): PeerStatus {
  const reason = `${node} cannot be reached, so its state is not known.`;
  return { ...nothingOf(node, reason, deployment), known: false, bgp_status: "Down" };
}

function nothingOf(
  node: string,
  reason: string,
  deployment: Deployment,
): Omit<PeerStatus, "known" | "bgp_status"> {
  return {
    node,
    wg_status: {
      state: "Down",
      issues: [reason],
      tx: formatBytes(0),
      rx: formatBytes(0),
      handshake: "",
    },
    latency: "",
    sessions: [],
    bgp_issues: [],
    deployment,
  };
}

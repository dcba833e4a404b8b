import type { ObservedPeering } from "../../contract/agent.ts";
import type { PeerStatus } from "../../contract/entities.ts";
import { nodeHost } from "../../contract/node-host.ts";
import { formatAge } from "../../domain/age.ts";
import { bgpStatusWithRoutes, describeRefusedRoutes } from "../../domain/health.ts";
import type { NodeReader } from "./node-reader.ts";
import { NodeUnreachableError } from "./agent-client.ts";

export type UnfinishedDeployment = PeerStatus["deployment"];

/** Every peering that a node runs, or why it is not known. */
export type Observed = readonly ObservedPeering[] | NodeUnreachableError;

/** Reads every peering that a node runs. */
export async function readObserved(
  reader: NodeReader,
  node: string,
  options: Parameters<NodeReader["read"]>[2],
): Promise<Observed> {
  try {
    return await reader.read(node, "observe", options);
  } catch (error) {
    if (error instanceof NodeUnreachableError) return error;
    throw error;
  }
}

export interface PeeringSubject {
  readonly asn: string;
  readonly node: string;
  /** The node's public key if the participant uses another one. */
  readonly newNodeKey: string | null;
  /** The provider's domain, for the name of the node in sentences. */
  readonly domain: string;
}

/** The status of one AS's peering among those that its node runs. */
export function presentPeerStatus(
  subject: PeeringSubject,
  observed: Observed,
  deployment: UnfinishedDeployment,
): PeerStatus {
  const status = presentFoundStatus(subject, observed, deployment);
  const { node, domain, newNodeKey } = subject;
  if (newNodeKey === null) return status;
  const issue = `The public key of ${nodeHost(node, domain)} has changed. Set it to ${newNodeKey} in your configuration.`;
  const issues = [issue, ...status.wg_status.issues];
  return { ...status, wg_status: { ...status.wg_status, issues, node_key_changed: true } };
}

function presentFoundStatus(
  { asn, node, domain }: PeeringSubject,
  observed: Observed,
  deployment: UnfinishedDeployment,
): PeerStatus {
  if (observed instanceof NodeUnreachableError) {
    // The specification has no status word for a peering whose node cannot be reached.
    const host = nodeHost(node, domain);
    const reason = observed.isUpgrading
      ? `The provider is upgrading ${host}. Your peering keeps running, but its state is not known.`
      : `${host} cannot be reached, so its state is not known.`;
    return { ...emptyStatus(node, reason, deployment), known: false, bgp_status: "Down" };
  }
  const own = observed.find((peering) => peering.asn === asn);
  if (own) return presentObserved(node, own, deployment);
  const reason = deployment
    ? "The deployment has not finished yet."
    : `${nodeHost(node, domain)} does not run this peering yet.`;
  return { ...emptyStatus(node, reason, deployment), known: true, bgp_status: "Not found" };
}

/** The status of a peering that its node runs. */
export function presentObserved(
  node: string,
  observed: ObservedPeering,
  deployment: UnfinishedDeployment,
): PeerStatus {
  const { tunnel, sessions } = observed;
  const refused = describeRefusedRoutes(sessions);
  return {
    node,
    known: true,
    bgp_status: bgpStatusWithRoutes(observed.bgpStatus, sessions),
    wg_status: {
      state: tunnel.state,
      issues: tunnel.issues,
      tx: formatBytes(tunnel.txBytes),
      rx: formatBytes(tunnel.rxBytes),
      handshake: tunnel.handshakeAgeSeconds === null ? "" : formatAge(tunnel.handshakeAgeSeconds),
      endpoint_error: tunnel.endpointError,
      node_key_changed: false,
    },
    latency: formatLatency(tunnel.latencyMs),
    sessions,
    bgp_issues: refused === null ? observed.bgpIssues : [...observed.bgpIssues, refused],
    deployment,
  };
}

function emptyStatus(
  node: string,
  reason: string,
  deployment: UnfinishedDeployment,
): Omit<PeerStatus, "known" | "bgp_status"> {
  return {
    node,
    wg_status: {
      state: "Down",
      issues: [reason],
      tx: formatBytes(0),
      rx: formatBytes(0),
      handshake: "",
      endpoint_error: "",
      node_key_changed: false,
    },
    latency: "",
    sessions: [],
    bgp_issues: [],
    deployment,
  };
}

const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** Bytes in the format of `wg show`: "148 B", "1.21 MiB". */
function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 ? value : value.toFixed(2)} ${byteUnits[power]}`;
}

/** A round trip in milliseconds, "12.4 ms"; empty when unknown. */
function formatLatency(milliseconds: number | null): string {
  return milliseconds === null ? "" : `${milliseconds.toFixed(1)} ms`;
}

import type { ObservedPeering } from "../../contract/agent.ts";
import type { PeerStatus } from "../../contract/entities.ts";
import { nodeHost } from "../../contract/node-host.ts";
import { formatAge } from "../../domain/text/age.ts";
import {
  describeToParticipant,
  type Finding,
  isKnownFault,
  publicFindings,
  readFindings,
} from "../../domain/findings/findings.ts";
import { peeringHealth } from "../../domain/findings/peering-health.ts";
import { faultsOf } from "../../domain/findings/status-findings.ts";
import type { NodeReader } from "./node-reader.ts";
import { NodeUnreachableError } from "./agent-client.ts";
import type { ObservedPeerings } from "./observed-peerings.ts";
import { awaitRouter } from "./awaited-router.ts";
import { countEnds, nextSessionStates, type SessionState } from "./session-states.ts";

export type UnfinishedDeployment = PeerStatus["deployment"];

/** What a node runs, or why it is not known. */
export type Observed = Pick<ObservedPeerings, "find"> | NodeUnreachableError;

/** Reads every peering that a node runs. */
export async function readObserved(
  reader: NodeReader,
  node: string,
  options: Parameters<NodeReader["read"]>[2],
): Promise<Observed> {
  return resolveUnreachable(reader.read(node, "observe", options));
}

/** Reads one peering that a node runs. */
export async function readObservedPeering(
  reader: NodeReader,
  { node, asn }: Pick<PeeringSubject, "node" | "asn">,
  options: Parameters<NodeReader["read"]>[2],
): Promise<Observed> {
  return resolveUnreachable(reader.readPeering(node, asn, options));
}

async function resolveUnreachable(read: Promise<Exclude<Observed, NodeUnreachableError>>): Promise<Observed> {
  try {
    return await read;
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
  /** The key that the tunnel gets at this time, in milliseconds since 1970. */
  readonly announcedKey: { readonly publicKey: string; readonly switchAt: number } | null;
  /** The provider's domain, for the name of the node in sentences. */
  readonly domain: string;
  /** Whether it was just deployed, so that the node waits for the participant's router. */
  readonly isAwaited: boolean;
  /** Whether the provider will take the node out of service. */
  readonly isDraining: boolean;
}

/** What is stored of a peering's sessions. */
export interface StoredSessions {
  readonly states: readonly SessionState[];
  /** The present time. */
  readonly now: number;
}

/** The status of one AS's peering among those that its node runs. */
export function presentPeerStatus(
  subject: PeeringSubject,
  observed: Observed,
  deployment: UnfinishedDeployment,
  stored: StoredSessions,
): PeerStatus {
  const { asn, node, domain, newNodeKey: publicKey, announcedKey, isDraining } = subject;
  const host = nodeHost(node, domain);
  const ofServer: Finding[] = [];
  if (publicKey !== null) ofServer.push({ code: "node-key-changed", facts: { host, publicKey } });
  if (announcedKey !== null) ofServer.push({ code: "node-rekey", facts: { host, ...announcedKey } });
  if (isDraining) ofServer.push({ code: "node-draining", facts: { host } });
  if (observed instanceof NodeUnreachableError) {
    // The specification has no status word for a peering whose node cannot be reached.
    const findings = [...ofServer, observed.finding(host)];
    return { ...presentNothing(node, findings, deployment), known: false, bgp_status: "Down" };
  }
  const own = observed.find(asn);
  if (own)
    return presentObserved(node, own, deployment, {
      ofServer,
      isAwaited: subject.isAwaited,
      stored,
    });
  const missing: Finding = deployment
    ? { code: "deployment-unfinished", facts: {} }
    : { code: "not-deployed", facts: { host } };
  const findings = [...ofServer, missing];
  return { ...presentNothing(node, findings, deployment), known: true, bgp_status: "Not found" };
}

export interface ServerKnowledge {
  /** What the server found, besides the node. */
  readonly ofServer?: readonly Finding[];
  readonly isAwaited?: boolean;
  /** Without it, it is not known since when the sessions are in their states. */
  readonly stored?: StoredSessions;
}

/** The status of a peering that its node runs. */
export function presentObserved(
  node: string,
  { tunnel, sessions, bgpStatus, ...observed }: ObservedPeering,
  deployment: UnfinishedDeployment,
  { ofServer = [], isAwaited = false, stored }: ServerKnowledge = {},
): PeerStatus {
  const findings = [...ofServer, ...presentFindings(observed.findings, isAwaited)];
  return {
    node,
    known: true,
    bgp_status: presentBgpStatus(bgpStatus, findings),
    wg_status: {
      state: tunnel.state,
      issues: tunnelIssues(findings),
      tx: formatBytes(tunnel.txBytes),
      rx: formatBytes(tunnel.rxBytes),
      handshake: tunnel.handshakeAgeSeconds === null ? "" : formatAge(tunnel.handshakeAgeSeconds),
      endpoint: tunnel.endpoint ?? "",
      loss: tunnel.lossPercent === null ? "" : `${Math.round(tunnel.lossPercent)}%`,
    },
    latency: formatLatency(tunnel.latencyMs),
    sessions: presentSessions(sessions, stored),
    findings,
    deployment,
  };
}

/** The status word of a peering that its node runs, without the rest of the status. */
export function observedHealth(
  node: string,
  { tunnel: { state }, bgpStatus, findings: sent }: ObservedPeering,
  isAwaited: boolean,
): string {
  const findings = presentFindings(sent, isAwaited);
  const bgp_status = presentBgpStatus(bgpStatus, findings);
  const wg_status = { state, issues: [], tx: "", rx: "" };
  return peeringHealth({ node, known: true, bgp_status, wg_status, latency: "", findings, deployment: null });
}

function presentFindings(sent: ObservedPeering["findings"], isAwaited: boolean): readonly Finding[] {
  const findings = publicFindings(readFindings(sent));
  return isAwaited ? awaitRouter(findings) : findings;
}

/** Sessions that are Established and have a fault have an issue, such as a refused route. */
function presentBgpStatus(
  status: ObservedPeering["bgpStatus"],
  findings: readonly Finding[],
): ObservedPeering["bgpStatus"] {
  return status === "OK" && faultsOf(findings, "bgp").some(isKnownFault) ? "Issues" : status;
}

function presentSessions(
  sessions: ObservedPeering["sessions"],
  stored: StoredSessions | undefined,
): PeerStatus["sessions"] {
  const states = stored && nextSessionStates(stored.states, sessions, stored.now);
  return sessions.map(({ name, families, state, detail, routes }, index) => {
    const own = states?.[index];
    const ends = stored && own ? countEnds(own, stored.now) : 0;
    return { name, families, state, detail, routes, since: own?.since ?? null, ends };
  });
}

function presentNothing(
  node: string,
  findings: readonly Finding[],
  deployment: UnfinishedDeployment,
): Omit<PeerStatus, "known" | "bgp_status"> {
  const zero = formatBytes(0);
  return {
    node,
    wg_status: {
      state: "Down",
      issues: tunnelIssues(findings),
      tx: zero,
      rx: zero,
      handshake: "",
      endpoint: "",
      loss: "",
    },
    latency: "",
    sessions: [],
    findings,
    deployment,
  };
}

/** The texts for clients that do not know findings. */
function tunnelIssues(findings: readonly Finding[]): string[] {
  return faultsOf(findings, "wireguard").map(describeToParticipant);
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

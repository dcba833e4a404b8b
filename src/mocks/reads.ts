/** What the mock backend reports of a peering: canned values by its health. */
import type { RefusedRoutes } from "../contract/diagnostics.ts";
import type { NodeConfig, NodeStatus, PeerConfig, PeerStatus } from "../contract/entities.ts";
import { sessionsOf } from "../domain/peering/bgp-sessions.ts";
import { describeToParticipant, type Finding } from "../domain/findings/findings.ts";
import { findRouteFaults } from "../domain/findings/route-faults.ts";
import { faultsOf } from "../domain/findings/status-findings.ts";
import type { Health } from "../domain/health.ts";
import { toPeerConfig } from "../domain/peering/peer-config.ts";
import { unfinishedTask } from "./deployments.ts";
import { hostOf, nextNodePublicKey, nodePublicKey, provider } from "./provider.ts";
import type { MockPeering, MockState } from "./state.ts";

export function peerConfigOf(peering: MockPeering): PeerConfig {
  return toPeerConfig(peering, provider.asn);
}

export function nodeConfigOf(state: MockState, mock: MockPeering): NodeConfig {
  const { node, peering } = mock;
  const switchAt = announcedDateOf(state, mock);
  return {
    public_ip: hostOf(node),
    local_ipv4: peering.localIpv4 ?? "",
    local_ipv6: peering.localIpv6 ?? "",
    public_key: peering.nodeKey ?? nodePublicKey,
    ...(switchAt !== undefined && { next_public_key: nextNodePublicKey, switch_at: switchAt }),
  };
}

/** The date of a new key that the tunnel does not have. */
function announcedDateOf({ rekeys }: MockState, { node, peering }: MockPeering): number | undefined {
  return peering.nodeKey === nextNodePublicKey ? undefined : rekeys[node];
}

const tunnelEnd = { endpoint: "198.51.100.7:51820", loss: "0%" };

const wireguard: Readonly<Record<Health, PeerStatus["wg_status"]>> = {
  OK: { state: "Up", issues: [], rx: "18.42 MiB", tx: "21.07 MiB", handshake: "41 s ago", ...tunnelEnd },
  Issues: { state: "Up", issues: [], rx: "3.10 MiB", tx: "4.88 MiB", handshake: "8 s ago", ...tunnelEnd },
  Down: {
    state: "Down",
    issues: [],
    rx: "0 B",
    tx: "14.20 KiB",
    handshake: "",
    endpoint: "198.51.100.7:51820",
    loss: "",
  },
};

/** What is wrong with a mock peering that is down. */
function downFindings({ endpointHost, endpointPort }: MockPeering["peering"]): readonly Finding[] {
  return [
    {
      code: "no-handshake",
      facts: { endpoint: `${endpointHost}:${endpointPort}`, hasPresharedKey: false },
    },
    { code: "session-waiting", facts: {} },
  ];
}

export function peerStatusOf(state: MockState, mock: MockPeering): PeerStatus {
  const { asn, node, peering, health } = mock;
  const task = unfinishedTask(state, asn, node);
  const sessions = sessionsOf(peering).map((session) => ({
    name: session.name,
    families: [...session.channels],
    state: health === "Down" ? "Active" : "Established",
    detail: health === "Down" ? "Socket: No route to host" : "",
    routes: session.channels.map((family) => routesOf(mock, family)),
    since: null,
    ends: 0,
  }));
  const switchAt = announcedDateOf(state, mock);
  const findings: Finding[] = [];
  if (switchAt !== undefined)
    findings.push({
      code: "node-rekey",
      facts: { host: hostOf(node), publicKey: nextNodePublicKey, switchAt },
    });
  findings.push(...(health === "Down" ? downFindings(peering) : findRouteFaults(sessions)));
  const issues = faultsOf(findings, "wireguard").map(describeToParticipant);
  return {
    node,
    known: true,
    bgp_status: health,
    wg_status: { ...wireguard[health], issues },
    latency: health === "Down" ? "" : "12.4 ms",
    sessions,
    findings,
    deployment: task ? { taskID: task.taskID, kind: task.kind } : null,
  };
}

/** The routes that `refusedRoutesOf` refuses, and one accepted route of each address family. */
function routesOf(mock: MockPeering, family: "IPv4" | "IPv6") {
  const refused = refusedRoutesOf(mock).totals[family === "IPv4" ? "ipv4" : "ipv6"];
  const accepted = mock.health === "Down" ? 0 : 1;
  return { family, received: accepted + refused, accepted, refused, exported: 640 * accepted };
}

const heavyLoad: Finding = { code: "heavy-load", facts: {} };

export function nodeStatusOf(node: string): NodeStatus {
  return node === "za01"
    ? {
        status: "Issues",
        known: true,
        uptime: "12 days, 3:04",
        load: "3.91, 3.40, 2.87",
        issues: [describeToParticipant(heavyLoad)],
        findings: [heavyLoad],
      }
    : {
        status: "OK",
        known: true,
        uptime: "48 days, 17:22",
        load: "0.12, 0.08, 0.05",
        issues: [],
        findings: [],
      };
}

/** The refused routes of a mock peering: none while it is OK or down, one for each kind of fix with issues. */
export function refusedRoutesOf({ asn, health }: MockPeering): RefusedRoutes {
  if (health !== "Issues") return { routes: [], totals: { ipv4: 0, ipv6: 0 }, cut: false, limits: [] };
  return {
    routes: [
      {
        prefix: "0.0.0.0/0",
        family: "IPv4",
        origin: asn,
        as_path: asn,
        reason: "default route",
        explanation: "0.0.0.0/0 is a default route. It would direct all of the node's traffic to you.",
        object: "",
        fix: "Stop exporting it to this node.",
      },
      {
        prefix: "172.20.201.64/27",
        family: "IPv4",
        origin: asn,
        as_path: `${asn} ${asn} ${asn}`,
        reason: "no ROA",
        explanation: "The registry has no route object that covers 172.20.201.64/27.",
        object: "route/172.20.201.64_27",
        fix: `Create route/172.20.201.64_27 with "origin: AS${asn}", under inetnum/172.20.201.0_24 of ADA-MNT.`,
      },
    ],
    totals: { ipv4: 5999, ipv6: 0 },
    cut: true,
    limits: [
      "The node stopped accepting IPv4 routes from you at 6000 (refused ones included) and accepts no new ones. " +
        "Announce fewer than 6000 IPv4 routes, then use Restart BGP. Until then the node refuses new routes.",
    ],
  };
}

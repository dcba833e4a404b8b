/**
 * Which lines of the participant's configuration a finding is about, with the values of the peering. A finding without lines
 * has only its texts.
 *
 * No line has a private or a pre-shared key.
 */
import type { Family } from "../bgp-sessions.ts";
import {
  addressLine,
  channelLines,
  participantSessions,
  peerLines,
  type PeeringSides,
  sessionLines,
  sessionName,
} from "../participant-config.ts";
import { participantInterface } from "../participant-names.ts";
import type { Finding, FindingCode } from "../../findings/findings.ts";
import { listWords } from "../../findings/table/finding-row.ts";
import { allowedIpsLines } from "./allowed-ips.ts";
import type { FixLine } from "./fix-line.ts";

/** The same lines for several systems, of which a router has one. */
export type FixChoice = readonly FixLine[];

/** The lines that a participant compares with the own configuration, for WireGuard first. */
export function fixLines(finding: Finding, sides: PeeringSides): readonly FixChoice[] {
  const write = table[finding.code] as ((facts: unknown, sides: PeeringSides) => FixChoices) | undefined;
  return write?.(finding.facts, sides).filter((choice) => choice.some(({ text }) => text !== "")) ?? [];
}

/** Whether a finding has lines, whatever the values of the peering. */
export function hasFixLines({ code }: Finding): boolean {
  return Object.hasOwn(table, code);
}

/** Findings that are fixed by a change of the peering: another endpoint, port, family or MTU. */
const fixedByChange: ReadonlySet<FindingCode> = new Set<FindingCode>([
  "endpoint-unresolved",
  "endpoint-resolver-timeout",
  "endpoint-resolver-error",
  "endpoint-is-node",
  "endpoint-is-provider",
  "endpoint-not-public",
  "port-in-use",
  "node-without-ipv6",
  "session-hold-timer",
  "session-flapping",
  "session-stuck",
  "extended-next-hop-missing",
  "network-not-routed",
]);

/** Whether the participant may fix a finding by changing the peering. */
export function isFixedByChange({ code }: Finding): boolean {
  return fixedByChange.has(code);
}

type FixChoices = readonly FixChoice[];
type FactsOf<Code extends FindingCode> = Extract<Finding, { readonly code: Code }>["facts"];
type FixTable = {
  readonly [Code in FindingCode]?: (facts: FactsOf<Code>, sides: PeeringSides) => FixChoices;
};

interface Families {
  readonly families: readonly string[];
}

/** The smallest MTU of IPv6: a packet of this size passes every path. */
const safeMtu = 1280;

const reachNode = (_: unknown, sides: PeeringSides) => [nodePeer(sides)];
const compareSession = (facts: Families, sides: PeeringSides) => [neighbours(facts, sides)];
const setNodeKey = ({ publicKey }: { readonly publicKey: string }, sides: PeeringSides) => [
  peerChoice(sides, [peerLines.publicKey({ ...sides.provider, public_key: publicKey })]),
];
const lowerMtu = (_: unknown, sides: PeeringSides) => [mtu(sides)];

const table: FixTable = {
  "no-handshake": reachNode,
  "handshake-expired": reachNode,
  "router-not-connected": reachNode,
  "router-disconnected": reachNode,
  "router-awaited": reachNode,
  "node-key-changed": setNodeKey,
  "node-rekey": setNodeKey,
  "no-ping-reply": (_, sides) => [addresses([], sides)],
  "way-blocked": (_, sides) => [allowedIpsLines(sides)],
  "session-awaited": (_, sides) => [neighbours({ families: [] }, sides)],
  "session-refused": compareSession,
  "session-closed": compareSession,
  "session-silent": compareSession,
  "session-not-established": compareSession,
  "session-wrong-as": compareSession,
  "session-unreachable": (facts, sides) => [addresses(facts.families, sides), neighbours(facts, sides)],
  "session-hold-timer": lowerMtu,
  "session-flapping": lowerMtu,
  "session-stuck": lowerMtu,
  "session-shut-down": (facts, sides) => [
    bird(
      "terminal, if your session has this name",
      sessionsWith(facts, sides).map((session) => `birdc enable ${sessionName(session, sides)}`),
    ),
  ],
  "family-not-announced": ({ family }, sides) => [channel(family, sides)],
  "extended-next-hop-missing": (_, sides) => [channel("IPv4", sides)],
};

/** Where the node is, and which key it has. */
function nodePeer(sides: PeeringSides): FixChoice {
  const { provider, peer } = sides;
  return peerChoice(sides, [
    peerLines.publicKey(provider),
    peerLines.endpoint(provider, peer),
    peerLines.keepalive,
  ]);
}

/** Lines of a WireGuard peer, whose names are the same for wg-quick and systemd-networkd. */
function peerChoice({ node, peer }: PeeringSides, lines: readonly string[]): FixChoice {
  const name = participantInterface(peer.local_asn, node);
  return [
    { system: wgQuick, place: `/etc/wireguard/${name}.conf, [Peer]`, text: lines.join("\n") },
    {
      system: networkd,
      place: `/etc/systemd/network/50-${name}.netdev, [WireGuardPeer]`,
      text: lines.map((line) => line.replace(" = ", "=")).join("\n"),
    },
  ];
}

const wgQuick = "wg-quick";
const networkd = "systemd-networkd";

function mtu({ node, peer }: PeeringSides): FixChoice {
  const name = participantInterface(peer.local_asn, node);
  return [
    { system: wgQuick, place: `/etc/wireguard/${name}.conf, [Interface]`, text: `MTU = ${safeMtu}` },
    {
      system: networkd,
      place: `/etc/systemd/network/50-${name}.netdev, [NetDev]`,
      text: `MTUBytes=${safeMtu}`,
    },
  ];
}

/** @param families those whose tunnel address is meant; empty for all */
function addresses(families: readonly string[], { node, peer, provider }: PeeringSides): FixChoice {
  const lines = [
    ...(isOneOf("IPv4", families) ? addressLine(peer.peer_ipv4, provider.local_ipv4) : []),
    ...(isOneOf("IPv6", families) ? addressLine(peer.peer_ipv6, provider.local_ipv6) : []),
  ];
  const name = participantInterface(peer.local_asn, node);
  return [{ system: wgQuick, place: `/etc/wireguard/${name}.conf, [Interface]`, text: lines.join("\n") }];
}

/** Who speaks with whom, for each session of these families. */
function neighbours(facts: Families, sides: PeeringSides): FixChoice {
  const sessions = sessionsWith(facts, sides);
  const names = sessions.map((session) => `protocol bgp ${sessionName(session, sides)}`);
  const lines = sessions.flatMap((session, index) => {
    const { local, source, neighbor } = sessionLines(session, sides);
    const heads = sessions.length > 1 ? [`# ${names[index]}`] : [];
    return heads.concat(local, source, neighbor);
  });
  return bird(`in ${listWords(names)}`, lines);
}

function channel(family: string, sides: PeeringSides): FixChoice {
  const session = participantSessions(sides.peer).find(({ channels }) =>
    channels.some((each) => each === family),
  );
  if (!session) return [];
  const lines = channelLines(family as Family, session.extendedNextHop);
  return bird(`in protocol bgp ${sessionName(session, sides)}`, lines);
}

function bird(place: string, lines: readonly string[]): FixChoice {
  return [{ system: "BIRD", place, text: lines.join("\n") }];
}

function sessionsWith({ families }: Families, { peer }: PeeringSides) {
  return participantSessions(peer).filter(({ channels }) => channels.some((each) => isOneOf(each, families)));
}

/** An agent that does not know the families of a fault names none. */
function isOneOf(family: Family, families: readonly string[]): boolean {
  return families.length === 0 || families.includes(family);
}

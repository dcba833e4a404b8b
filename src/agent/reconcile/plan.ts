/** What changes between two states of one peering, in sentences of what was done. */
import { type BgpSession, interfaceName, sessionsOf } from "../../domain/bgp-sessions.ts";
import type { RoutedPeering } from "../drivers/router.ts";

export function planSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly string[] {
  if (!from) return to ? [setUpTunnel(to), ...sessionsOf(to.peering).map(setUpSession)] : [];
  if (!to) {
    const name = interfaceName(from.peering.asn);
    return [...sessionsOf(from.peering).map(removedSession), `Removed the tunnel ${name}.`];
  }
  return [...tunnelSteps(from, to), ...sessionSteps(from, to)];
}

function setUpTunnel(routed: RoutedPeering): string {
  const { asn, listenPort } = routed.peering;
  return `Set up the tunnel ${interfaceName(asn)} on UDP port ${listenPort} towards ${endpointOf(routed)}.`;
}

function setUpSession(session: BgpSession): string {
  return `Set up the BGP session ${session.name} (${kindOf(session)}).`;
}

function removedSession({ name }: BgpSession): string {
  return `Removed the BGP session ${name}.`;
}

function kindOf({ channels, transport, extendedNextHop }: BgpSession): string {
  const carried = `${channels.join(" and ")} over ${transport}`;
  return extendedNextHop ? `${carried}, extended next hop` : carried;
}

/** Values of a tunnel that can change while it stays, each with its words. */
const tunnelValues: ReadonlyArray<readonly [string, (routed: RoutedPeering) => string | number]> = [
  ["endpoint", endpointOf],
  ["participant's public key", ({ peering }) => peering.publicKey],
  ["node's UDP port", ({ peering }) => peering.listenPort],
  ["node's tunnel IPv4", ({ peering }) => peering.localIpv4 ?? "none"],
  ["node's tunnel IPv6", ({ peering }) => peering.localIpv6 ?? "none"],
  ["participant's tunnel IPv4", ({ peering }) => peering.peerIpv4 ?? "none"],
  ["participant's tunnel IPv6", ({ peering }) => peering.peerIpv6 ?? "none"],
];

function tunnelSteps(from: RoutedPeering, to: RoutedPeering): readonly string[] {
  return tunnelValues.flatMap(([words, value]) => {
    const [before, after] = [value(from), value(to)];
    return before === after ? [] : [`Changed the ${words} from ${before} to ${after}.`];
  });
}

function sessionSteps(from: RoutedPeering, to: RoutedPeering): readonly string[] {
  const before = new Map(sessionsOf(from.peering).map((session) => [session.name, session]));
  const after = new Map(sessionsOf(to.peering).map((session) => [session.name, session]));
  return [
    ...[...before.values()].filter(({ name }) => !after.has(name)).map(removedSession),
    ...[...after.values()].filter(({ name }) => !before.has(name)).map(setUpSession),
  ];
}

export function endpointOf({ peering, endpointAddress }: RoutedPeering): string {
  const host = endpointAddress.includes(":") ? `[${endpointAddress}]` : endpointAddress;
  return `${host}:${peering.endpointPort}`;
}

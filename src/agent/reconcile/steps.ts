/** The steps of a change, as sentences. */
import { type BgpSession, interfaceName, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import { endpointOf } from "../drivers/routed-peering.ts";
import type { RoutedPeering, ReportStep } from "../drivers/router.ts";

/** Describes the difference between two states of one peering as steps that were done. */
export function describeSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly string[] {
  if (!from) return to ? [describeNewTunnel(to), ...sessionsOf(to.peering).map(describeNewSession)] : [];
  if (!to) {
    const name = interfaceName(from.peering.asn);
    return [...sessionsOf(from.peering).map(describeRemovedSession), `Removed the tunnel ${name}.`];
  }
  return [...tunnelSteps(from, to), ...sessionSteps(from, to)];
}

function describeNewTunnel(routed: RoutedPeering): string {
  const { asn, listenPort } = routed.peering;
  return `Set up the tunnel ${interfaceName(asn)} on UDP port ${listenPort} towards ${endpointOf(routed)}.`;
}

function describeNewSession(session: BgpSession): string {
  return `Set up the BGP session ${session.name} (${describeSession(session)}).`;
}

function describeRemovedSession({ name }: BgpSession): string {
  return `Removed the BGP session ${name}.`;
}

function describeSession({ channels, transport, extendedNextHop }: BgpSession): string {
  const carried = `${channels.join(" and ")} over ${transport}`;
  return extendedNextHop ? `${carried}, extended next hop` : carried;
}

/** The values of a tunnel that can change without removing it, with their labels. */
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
  return tunnelValues.flatMap(([label, value]) => {
    const [before, after] = [value(from), value(to)];
    return before === after ? [] : [`Changed the ${label} from ${before} to ${after}.`];
  });
}

function sessionSteps(from: RoutedPeering, to: RoutedPeering): readonly string[] {
  const before = new Map(sessionsOf(from.peering).map((session) => [session.name, session]));
  const after = new Map(sessionsOf(to.peering).map((session) => [session.name, session]));
  return [
    ...[...before.values()].filter(({ name }) => !after.has(name)).map(describeRemovedSession),
    ...[...after.values()].filter(({ name }) => !before.has(name)).map(describeNewSession),
  ];
}

/**
 * The steps that a router reported during one set. A participant sees the shared steps and those of its own
 * peering.
 */
export interface StepLog {
  readonly report: ReportStep;
  readonly of: (asn: string) => readonly string[];
  readonly shared: () => readonly string[];
  readonly all: () => readonly string[];
}

export function createStepLog(): StepLog {
  const steps: Array<{ readonly sentence: string; readonly asn: string | undefined }> = [];
  const sentences = (shown: (asn: string | undefined) => boolean) =>
    steps.filter(({ asn }) => shown(asn)).map(({ sentence }) => sentence);
  return {
    report: (sentence, asn) => {
      steps.push({ sentence, asn });
    },
    of: (asn) => sentences((stepAsn) => stepAsn === undefined || stepAsn === asn),
    shared: () => sentences((stepAsn) => stepAsn === undefined),
    all: () => sentences(() => true),
  };
}

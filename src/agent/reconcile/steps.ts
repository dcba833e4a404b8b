/** The steps of a change, as sentences. They name nothing of the node's own: participants read them. */
import { type BgpSession, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import { endpointOf } from "../drivers/routed-peering.ts";
import { type RoutedPeering, type SetPart, setParts, type SetReport } from "../drivers/router.ts";

/** The change of one peering; null is no peering. */
export interface PeeringChange {
  readonly asn: string;
  readonly from: RoutedPeering | null;
  readonly to: RoutedPeering | null;
}

type ChangedStates = Pick<PeeringChange, "from" | "to">;

/** Describes the difference between two states of one peering as steps that were done, by the part that does them. */
export function describeSteps({ from, to }: ChangedStates): Readonly<Record<SetPart, readonly string[]>> {
  return {
    tunnels: to ? (from ? tunnelSteps(from, to) : [describeNewTunnel(to)]) : [],
    sessions: sessionSteps(from, to),
    "removed tunnels": from && !to ? ["Removed the tunnel."] : [],
  };
}

function describeNewTunnel(routed: RoutedPeering): string {
  return `Set up the tunnel on UDP port ${routed.peering.listenPort} towards ${endpointOf(routed)}.`;
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

function sessionSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly string[] {
  const [before, after] = [sessionsByName(from), sessionsByName(to)];
  const removed = Array.from(before.values()).filter(({ name }) => !after.has(name));
  const added = Array.from(after.values()).filter(({ name }) => !before.has(name));
  return [
    ...removed.map((session) => `Removed the BGP session for ${describeSession(session)}.`),
    ...added.map((session) => `Set up the BGP session for ${describeSession(session)}.`),
  ];
}

function sessionsByName(routed: RoutedPeering | null): ReadonlyMap<string, BgpSession> {
  return new Map(routed ? sessionsOf(routed.peering).map((session) => [session.name, session]) : []);
}

function describeSession({ channels, transport, extendedNextHop }: BgpSession): string {
  const carried = `${channels.join(" and ")} over ${transport}`;
  return extendedNextHop ? `${carried} with extended next hop` : carried;
}

/**
 * The steps of one set, in the order in which they are done. A participant sees the shared steps and those of its own
 * peering.
 */
export interface StepLog {
  readonly report: SetReport;
  /** Adds the parts that the router has not reported. Called when the set is done. */
  readonly finish: () => void;
  readonly of: (asn: string) => readonly string[];
  readonly shared: () => readonly string[];
  /** The AS numbers of `SetReport.repairedTunnel`. */
  readonly repairedTunnels: () => readonly string[];
}

const sessionsLeft =
  "The BGP session has ended. BIRD forgets it when the provider has finished its work on the node's configuration.";

export function createStepLog(changes: readonly PeeringChange[]): StepLog {
  const steps: Array<{ readonly sentence: string; readonly asn: string | null }> = [];
  const repairedTunnels = new Set<string>();
  const remaining = new Set<SetPart>(setParts);
  const completed = (part: SetPart) => {
    if (!remaining.delete(part)) return;
    for (const change of changes) {
      for (const sentence of describeSteps(change)[part]) steps.push({ sentence, asn: change.asn });
    }
  };
  const sentences = (shown: (asn: string | null) => boolean) =>
    steps.filter(({ asn }) => shown(asn)).map(({ sentence }) => sentence);
  return {
    report: {
      step: (sentence) => void steps.push({ sentence, asn: null }),
      completed,
      postponedSessions: () => {
        remaining.delete("sessions");
        for (const { asn, from, to } of changes) {
          if (from && !to) steps.push({ sentence: sessionsLeft, asn });
        }
      },
      repairedTunnel: (asn) => void repairedTunnels.add(asn),
    },
    finish: () => setParts.forEach(completed),
    of: (asn) => sentences((stepAsn) => stepAsn === null || stepAsn === asn),
    shared: () => sentences((stepAsn) => stepAsn === null),
    repairedTunnels: () => [...repairedTunnels],
  };
}

/** The steps of a change. */
import { defaultMtu } from "../../domain/peering/option-rules.ts";
import { type BgpSession, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import type { Step, TunnelValue } from "../../domain/findings/steps.ts";
import { endpointOf, isSamePeering } from "../drivers/routed-peering.ts";
import { type RoutedPeering, type SetPart, setParts, type SetReport } from "../drivers/router.ts";

/** The change of one peering; null is no peering. */
export interface PeeringChange {
  readonly asn: string;
  readonly from: RoutedPeering | null;
  readonly to: RoutedPeering | null;
}

type ChangedStates = Pick<PeeringChange, "from" | "to">;

/** The difference between two states of one peering as steps that were done, by the part that does them. */
export function stepsOf({ from, to }: ChangedStates): Readonly<Record<SetPart, readonly Step[]>> {
  return {
    tunnels: to ? (from ? tunnelSteps(from, to) : [newTunnelStep(to)]) : [],
    sessions: sessionSteps(from, to),
    "removed tunnels": from && !to ? [{ code: "tunnel-removed", facts: {} }] : [],
  };
}

function newTunnelStep(routed: RoutedPeering): Step {
  const { listenPort: port } = routed.peering;
  return { code: "tunnel-created", facts: { port, endpoint: endpointOf(routed) } };
}

/** The values of a tunnel that can change without removing it, in the order of their steps. */
const tunnelValues = {
  endpoint: (routed) => endpointOf(routed) ?? "none",
  publicKey: ({ peering }) => peering.publicKey,
  listenPort: ({ peering }) => String(peering.listenPort),
  localIpv4: ({ peering }) => peering.localIpv4 ?? "none",
  localIpv6: ({ peering }) => peering.localIpv6 ?? "none",
  peerIpv4: ({ peering }) => peering.peerIpv4 ?? "none",
  peerIpv6: ({ peering }) => peering.peerIpv6 ?? "none",
  mtu: ({ peering }) => String(peering.mtu ?? defaultMtu),
} satisfies Readonly<Record<TunnelValue, (routed: RoutedPeering) => string>>;

function tunnelSteps(from: RoutedPeering, to: RoutedPeering): readonly Step[] {
  const changes = Object.entries(tunnelValues).flatMap(([value, read]): Step[] => {
    const [before, after] = [read(from), read(to)];
    return before === after ? [] : [{ code: "tunnel-changed", facts: { value, before, after } }];
  });
  return [
    ...changes,
    ...nodeKeySteps(from.peering.nodeKey, to.peering.nodeKey),
    ...keySteps(from.peering.presharedKey, to.peering.presharedKey),
  ];
}

function nodeKeySteps(before: string | undefined, after: string | undefined): readonly Step[] {
  return before === after ? [] : [{ code: "node-key-changed", facts: { publicKey: after ?? null } }];
}

/** The steps contain neither key. */
function keySteps(before: string | undefined, after: string | undefined): readonly Step[] {
  if (before === after) return [];
  const change = before === undefined ? "set" : after === undefined ? "removed" : "replaced";
  return [{ code: "preshared-key-changed", facts: { change } }];
}

function sessionSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly Step[] {
  const [before, after] = [sessionsByName(from), sessionsByName(to)];
  const removed = Array.from(before.values()).filter(({ name }) => !after.has(name));
  const added = Array.from(after.values()).filter(({ name }) => !before.has(name));
  return [
    ...removed.map((session) => ({ code: "session-removed", facts: sessionFacts(session) }) as const),
    ...added.map((session) => ({ code: "session-created", facts: sessionFacts(session) }) as const),
  ];
}

function sessionsByName(routed: RoutedPeering | null): ReadonlyMap<string, BgpSession> {
  return new Map(routed ? sessionsOf(routed.peering).map((session) => [session.name, session]) : []);
}

function sessionFacts({ channels, transport, extendedNextHop }: BgpSession) {
  return { families: [...channels], transport, hasExtendedNextHop: extendedNextHop };
}

/** Whether a participant waits for it: the change of an endpoint's address is the agent's own. */
function isRequested({ from, to }: PeeringChange): boolean {
  return to !== null && !isSamePeering(from?.peering ?? null, to.peering);
}

/**
 * The steps of one set, in the order in which they are done. A participant sees the shared steps and those of its own
 * peering.
 */
export interface StepLog {
  readonly report: SetReport;
  /** Adds the parts that the router has not reported. Called when the set is done. */
  readonly finish: () => void;
  readonly of: (asn: string) => readonly Step[];
  readonly shared: () => readonly Step[];
  /** The AS numbers of `SetReport.repairedTunnel`. */
  readonly repairedTunnels: () => readonly string[];
}

export function createStepLog(changes: readonly PeeringChange[]): StepLog {
  const steps: Array<{ readonly step: Step; readonly asn: string | null }> = [];
  const repairedTunnels = new Set<string>();
  const remaining = new Set<SetPart>(setParts);
  const completed = (part: SetPart) => {
    if (!remaining.delete(part)) return;
    for (const change of changes) {
      for (const step of stepsOf(change)[part]) steps.push({ step, asn: change.asn });
    }
  };
  const stepsFor = (shown: (asn: string | null) => boolean) =>
    steps.filter(({ asn }) => shown(asn)).map(({ step }) => step);
  return {
    report: {
      requested: new Set(changes.filter(isRequested).map(({ asn }) => asn)),
      step: (step) => void steps.push({ step, asn: null }),
      completed,
      postponedSessions: () => {
        remaining.delete("sessions");
        for (const { asn, from, to } of changes) {
          if (from && !to) steps.push({ step: { code: "sessions-postponed", facts: {} }, asn });
        }
      },
      repairedTunnel: (asn) => void repairedTunnels.add(asn),
    },
    finish: () => setParts.forEach(completed),
    of: (asn) => stepsFor((stepAsn) => stepAsn === null || stepAsn === asn),
    shared: () => stepsFor((stepAsn) => stepAsn === null),
    repairedTunnels: () => [...repairedTunnels],
  };
}

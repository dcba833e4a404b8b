/** Which tunnels a change sets up, and which it leaves out. */
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { ProcessTimeoutError } from "#system/processes.ts";
import { readIpv6Support } from "../linux/ipv6-settings.ts";
import type { RoutedPeering } from "../router.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";
import {
  causeOfFailure,
  type LeftOutCause,
  type LeftOutTunnel,
  type LeftOutTunnels,
  refusalOf,
} from "./left-out-tunnels.ts";
import { findOccupied } from "./occupied-ports.ts";
import type { RetrySchedule } from "./retry-schedule.ts";

export type TunnelPart = "link" | "peer";

export interface TunnelPlan {
  /** The tunnels that run after the change. One that waits for IPv6 is returned without its IPv6 addresses. */
  readonly toRun: () => readonly RoutedPeering[];
  readonly isToRun: (routed: RoutedPeering) => boolean;
  /** Those of the known tunnels that the kernel still has as they were set: it removes addresses when IPv6 is disabled. */
  readonly stillKnown: (known: RoutedSet) => RoutedSet;
  /** Throws the refusal if the tunnel was requested. */
  readonly leaveOut: (asn: string, cause: LeftOutCause) => void;
  /**
   * Sets up one tunnel's interface, or later its peer, with which it is complete. Returns null if it is left out. Throws what
   * concerns all tunnels, and the refusal of a requested one.
   */
  readonly attempt: <T>(part: TunnelPart, asn: string, job: () => Promise<T>) => Promise<T | null>;
  /** Requested ones first, then those that failed least often. */
  readonly inOrderOfTries: (tunnels: readonly RoutedPeering[]) => readonly RoutedPeering[];
  readonly leftOut: () => LeftOutTunnels;
}

export interface PlanOptions {
  readonly desired: RoutedSet;
  /** The AS numbers of tunnels that are refused instead of being left out. */
  readonly requested: ReadonlySet<string>;
  /** The tunnels that the previous change left out. */
  readonly leftOut: LeftOutTunnels;
  readonly retries: RetrySchedule;
  /** Whether the node has the WireGuard key of the tunnel. */
  readonly hasKey: (tunnel: RoutedPeering) => boolean;
}

/** After so many failures in a row, the other tunnels are not tried: each may take seconds. */
const maxFailuresInRow = 3;
/**
 * After so many commands for peers that timed out, in a row or not, the other tunnels are not tried: BIRD undoes the change
 * if the agent does not confirm it within a minute, and each takes ten seconds.
 */
const maxPeerTimeouts = 3;

export async function planTunnels(options: PlanOptions): Promise<TunnelPlan> {
  const { desired, requested, retries, hasKey } = options;
  const toRun = new Map(desired);
  const leftOut = new Map<string, LeftOutTunnel>();
  const rank = ({ peering: { asn } }: RoutedPeering) => (requested.has(asn) ? -1 : retries.failures(asn));
  /** Of each part, because the peers of tunnels that have their interface are tried in any case. */
  const failuresInRow: Record<TunnelPart, number> = { link: 0, peer: 0 };
  let peerTimeouts = 0;
  let lastCause: LeftOutCause | null = null;

  function leaveOut(asn: string, cause: LeftOutCause): void {
    const routed = desired.get(asn);
    if (!routed) return;
    const tunnel = { routed, cause };
    if (requested.has(asn)) throw refusalOf(tunnel);
    leftOut.set(asn, tunnel);
    if (cause.kind === "ipv6") toRun.set(asn, withoutIpv6(routed));
    else toRun.delete(asn);
  }

  async function attempt<T>(part: TunnelPart, asn: string, job: () => Promise<T>): Promise<T | null> {
    const isTooSlow = part === "peer" && peerTimeouts >= maxPeerTimeouts;
    if (lastCause !== null && (isTooSlow || failuresInRow[part] >= maxFailuresInRow)) {
      retries.postpone(asn);
      leaveOut(asn, lastCause);
      return null;
    }
    try {
      const result = await job();
      failuresInRow[part] = 0;
      if (part === "peer") retries.noteSuccess(asn);
      return result;
    } catch (error) {
      lastCause = causeOfFailure(error);
      failuresInRow[part] += 1;
      if (part === "peer" && error instanceof ProcessTimeoutError) peerTimeouts += 1;
      if (!requested.has(asn)) retries.noteFailure(asn);
      leaveOut(asn, lastCause);
      return null;
    }
  }

  const canHaveIpv6 = await readIpv6Support();
  for (const [asn, routed] of desired) {
    if (hasIpv6(routed) && !(await canHaveIpv6(interfaceName(asn)))) leaveOut(asn, { kind: "ipv6" });
  }
  for (const [asn, { cause }] of options.leftOut) {
    if (!requested.has(asn) && !retries.isDue(asn)) leaveOut(asn, cause);
  }
  // Last, because a tunnel without IPv6 runs.
  for (const [asn, routed] of desired) {
    const { nodeKey } = routed.peering;
    if (nodeKey !== undefined && !hasKey(routed)) leaveOut(asn, { kind: "key", publicKey: nodeKey });
  }
  return {
    toRun: () => Array.from(toRun.values()),
    isToRun: ({ peering }) => toRun.has(peering.asn),
    stillKnown: (known) =>
      new Map(
        Array.from(known).filter(
          ([asn, routed]) => leftOut.get(asn)?.cause.kind !== "ipv6" || !hasIpv6(routed),
        ),
      ),
    leaveOut,
    attempt,
    inOrderOfTries: (tunnels) => tunnels.toSorted((a, b) => rank(a) - rank(b)),
    leftOut: () => leftOut,
  };
}

function hasIpv6({ peering }: RoutedPeering): boolean {
  return peering.localIpv6 !== null && peering.peerIpv6 !== null;
}

function withoutIpv6(routed: RoutedPeering): RoutedPeering {
  return { ...routed, peering: { ...routed.peering, localIpv6: null, peerIpv6: null } };
}

/** Interfaces of tunnels that are left out. */
export interface StartableTunnels {
  /** What prevented them is gone. */
  readonly free: readonly string[];
  /** Commands failed, and only another try says whether they still do. */
  readonly due: readonly string[];
}

/** Finds which tunnels that are left out can be tried again. */
export async function findStartable(
  leftOut: LeftOutTunnels,
  retries: Pick<RetrySchedule, "isDue">,
  exists: (name: string) => Promise<boolean>,
): Promise<StartableTunnels> {
  const tunnels = Array.from(leftOut).filter(([asn]) => retries.isDue(asn));
  const ofKind = (...kinds: ReadonlyArray<LeftOutCause["kind"]>) =>
    new Map(
      tunnels.flatMap(([asn, { routed, cause }]) =>
        kinds.includes(cause.kind) ? [[asn, routed] as const] : [],
      ),
    );
  const free: string[] = [];
  const withPorts = ofKind("port");
  const { occupied } = await findOccupied(withPorts.values(), new Set());
  free.push(...Array.from(withPorts.keys()).filter((asn) => !occupied.has(asn)));
  const waitingForIpv6 = ofKind("ipv6");
  const canHaveIpv6 = await readIpv6Support();
  for (const asn of waitingForIpv6.keys()) if (await canHaveIpv6(interfaceName(asn))) free.push(asn);
  for (const asn of ofKind("name").keys()) if (!(await exists(interfaceName(asn)))) free.push(asn);
  return {
    free: free.map(interfaceName),
    due: Array.from(ofKind("wireguard-go", "command").keys(), interfaceName),
  };
}

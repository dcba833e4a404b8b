import type { Peering } from "../../contract/agent.ts";
import type { BgpCheck } from "../../contract/entities.ts";
import { type BgpSession, type Family, sessionsOf } from "../../domain/bgp-sessions.ts";
import type { SessionDetail } from "../drivers/router.ts";

/** Compares what was chosen for a peering with what its neighbour announced when the sessions came up. */
export function checkBgp(peering: Peering, details: readonly SessionDetail[]): BgpCheck {
  const sessions = sessionsOf(peering).map((session) => ({
    session,
    detail: details.find(({ name }) => name === session.name),
  }));
  const counts = (key: "received" | "filtered" | "rejected") => {
    const sum = (family: Family) =>
      details
        .flatMap(({ routes }) => routes)
        .filter((route) => route.family === family)
        .reduce((total, route) => total + route[key], 0);
    return { ipv4: sum("IPv4"), ipv6: sum("IPv6") };
  };
  return {
    address_families: firstFault(sessions, familyFault),
    bgp_extnh: firstFault(sessions, nextHopFault),
    received_routes: counts("received"),
    filtered_routes: counts("filtered"),
    rejected_routes: counts("rejected"),
  };
}

interface Compared {
  readonly session: BgpSession;
  readonly detail: SessionDetail | undefined;
}

function firstFault(sessions: readonly Compared[], fault: (compared: Compared) => string | null): string {
  return sessions.map(fault).find((found) => found !== null) ?? "OK";
}

function familyFault({ session, detail }: Compared): string | null {
  if (!detail?.neighbour) return notHeard(session, detail);
  const { families } = detail.neighbour;
  const missing = session.channels.find((channel) => !families.includes(channel));
  if (missing === undefined) return null;
  return `Your side of ${session.name} does not announce ${missing}. Add an ${missing.toLowerCase()} channel to it.`;
}

function nextHopFault({ session, detail }: Compared): string | null {
  if (!session.extendedNextHop) return null;
  if (!detail?.neighbour) return notHeard(session, detail);
  if (detail.neighbour.extendedNextHop) return null;
  return (
    `Your side of ${session.name} does not announce extended next hop. Set "extended next hop on" in its ` +
    "ipv4 channel, or choose No for Extended Nexthop."
  );
}

function notHeard({ name }: BgpSession, detail: SessionDetail | undefined): string {
  return `${name} is ${detail?.state ?? "not found"}: your side has not been heard.`;
}

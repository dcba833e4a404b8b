import type { Peering } from "../../contract/agent.ts";
import type { BgpCheck } from "../../contract/entities.ts";
import { type BgpSession, type Family, sessionsOf } from "../../domain/bgp-sessions.ts";
import type { SessionDetail } from "../drivers/router.ts";

/** Compares what was chosen for a peering with what its neighbour announced when the sessions came up. */
export function checkBgp(peering: Peering, details: readonly SessionDetail[]): BgpCheck {
  const sessions = sessionsOf(peering).map((session) => ({
    session,
    nodeAddress: session.transport === "IPv4" ? peering.localIpv4 : peering.localIpv6,
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
  /** The node's end of it; null where the peering has none. */
  readonly nodeAddress: string | null;
  readonly detail: SessionDetail | undefined;
}

function firstFault(sessions: readonly Compared[], fault: (compared: Compared) => string | null): string {
  return sessions.map(fault).find((found) => found !== null) ?? "OK";
}

function familyFault(compared: Compared): string | null {
  const { session, detail } = compared;
  if (!detail?.neighbour) return notHeard(compared);
  const { families } = detail.neighbour;
  const missing = session.channels.find((channel) => !families.includes(channel));
  if (missing === undefined) return null;
  return `Your side of ${session.name} does not announce ${missing}. Add an ${missing.toLowerCase()} channel to it.`;
}

function nextHopFault(compared: Compared): string | null {
  const { session, detail } = compared;
  if (!session.extendedNextHop) return null;
  if (!detail?.neighbour) return notHeard(compared);
  if (detail.neighbour.extendedNextHop) return null;
  return (
    `Your side of ${session.name} does not announce extended next hop. Set "extended next hop on" in its ` +
    "ipv4 channel, or choose No for Extended Nexthop."
  );
}

function notHeard({ session: { name }, nodeAddress, detail }: Compared): string {
  if (!detail) {
    return `${name} is not found: the node does not run this session at the moment. It is set up again on its own; check again in a minute.`;
  }
  const fault = detail.detail === "" ? detail.state : `${detail.state} (${detail.detail})`;
  return (
    `${name} is ${fault}: your side has not been heard. Check that the tunnel is up, that your BGP daemon runs ` +
    `a session with ${nodeAddress ?? "the node"}, and that your firewall lets TCP port 179 in on the tunnel.`
  );
}

import type { Peering } from "../../contract/agent.ts";
import type { BgpCheck } from "../../contract/diagnostics.ts";
import { type BgpSession, type Family, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "../drivers/router.ts";
import { describeSessionFault } from "./session-fault.ts";

/** Compares the settings of a peering with the capabilities that its neighbour announced. */
export function checkBgp(peering: Peering, details: readonly SessionDetail[]): BgpCheck {
  const sessions = sessionsOf(peering).map((session) => ({
    session,
    nodeAddress: session.transport === "IPv4" ? peering.localIpv4 : peering.localIpv6,
    detail: details.find(({ name }) => name === session.name),
  }));
  const counts = (countOf: (channel: Channel) => number | null) => {
    const sum = (family: Family) =>
      sessions
        .filter(({ session }) => session.channels.includes(family))
        .map(({ detail }) => detail?.routes.find((channel) => channel.family === family))
        .reduce((total, channel) => add(total, channel ? countOf(channel) : null), 0 as number | null);
    return { ipv4: sum("IPv4"), ipv6: sum("IPv6") };
  };
  return {
    address_families: firstFault(sessions, familyFault),
    bgp_extnh: firstFault(sessions, nextHopFault),
    received_routes: counts(({ accepted, filtered }) => add(accepted, filtered)),
    filtered_routes: counts(({ filtered }) => filtered),
    rejected_routes: counts(({ malformedUpdates }) => malformedUpdates),
  };
}

type Channel = SessionDetail["routes"][number];

/** Adds two numbers; the sum with an unknown one (null) is unknown. */
function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

interface Compared {
  readonly session: BgpSession;
  /** The node's address of the session; null if the peering has none. */
  readonly nodeAddress: string | null;
  readonly detail: SessionDetail | undefined;
}

function firstFault(sessions: readonly Compared[], fault: (compared: Compared) => string | null): string {
  return sessions.map(fault).find((found) => found !== null) ?? "OK";
}

function familyFault(compared: Compared): string | null {
  const { session, detail } = compared;
  if (!detail?.neighbour) return noReplyFault(compared);
  const { families } = detail.neighbour;
  const missing = session.channels.find((channel) => !families.includes(channel));
  if (missing === undefined) return null;
  return `Your router does not announce ${missing} in session ${session.name}. Add an ${missing.toLowerCase()} channel to it.`;
}

function nextHopFault(compared: Compared): string | null {
  const { session, detail } = compared;
  if (!session.extendedNextHop) return null;
  if (!detail?.neighbour) return noReplyFault(compared);
  if (detail.neighbour.extendedNextHop) return null;
  return (
    `Your router does not announce extended next hop in session ${session.name}. Set "extended next hop on" in its ` +
    "ipv4 channel, or choose No for Extended Nexthop."
  );
}

function noReplyFault({ session: { name, channels }, nodeAddress, detail }: Compared): string {
  if (!detail) {
    return `The node is not running session ${name} at the moment. It will be set up again automatically; check again in a minute.`;
  }
  return (
    `${channels.join(" and ")}: ${describeSessionFault(detail)}. Check that the tunnel is up, that your BGP daemon ` +
    `runs a session with ${nodeAddress ?? "the node"}, and that your firewall allows TCP port 179 on the tunnel.`
  );
}

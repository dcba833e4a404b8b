import type { Peering } from "../../contract/agent.ts";
import type { BgpComparison } from "../../contract/call-tables/agent-peering-calls.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import { type BgpSession, type Family, sessionsOf } from "../../domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "../drivers/router.ts";
import { findMissingFamily, findMissingNextHop, findSessionFaults } from "./session-findings.ts";

/** Compares the settings of a peering with the capabilities that its neighbour announced. */
export function checkBgp(peering: Peering, details: readonly SessionDetail[]): BgpComparison {
  const sessions = sessionsOf(peering).map((session) => ({
    peering,
    session,
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
    addressFamilies: firstFault(sessions, findFamilyFault),
    extendedNextHop: firstFault(sessions, findNextHopFault),
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
  readonly peering: Peering;
  readonly session: BgpSession;
  readonly detail: SessionDetail | undefined;
}

function firstFault(
  sessions: readonly Compared[],
  findFault: (compared: Compared) => Finding | null,
): Finding | null {
  return sessions.map(findFault).find((found) => found !== null) ?? null;
}

function findFamilyFault(compared: Compared): Finding | null {
  const { session, detail } = compared;
  if (!detail?.neighbour) return findReplyFault(compared);
  return findMissingFamily(session, detail.neighbour);
}

function findNextHopFault(compared: Compared): Finding | null {
  const { session, detail } = compared;
  if (!session.extendedNextHop) return null;
  if (!detail?.neighbour) return findReplyFault(compared);
  return findMissingNextHop(session, detail.neighbour);
}

/** Why the neighbour's capabilities are not known. */
function findReplyFault({ peering, session, detail }: Compared): Finding {
  if (!detail) return { code: "session-not-running", facts: { session: session.name } };
  const [fault] = findSessionFaults(peering, [{ session, observed: detail }]);
  return fault ?? { code: "capabilities-unknown", facts: { session: session.name } };
}

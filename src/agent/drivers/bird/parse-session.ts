import type { LimitHit } from "#contract/call-tables/refused-route-facts.ts";
import type { Family } from "#domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "../router.ts";
import type { BirdLine, BirdReply } from "./control-socket.ts";

/** The code of the line that begins a protocol; the lines about it have another one. */
const protocolCode = 1002;

/**
 * Parses the BGP protocols of `show protocols all`, with or without a name or a pattern. State and error come from lines
 * of their own, which have one meaning only: the first line also has the time, whose format is configurable.
 */
export function parseSessions({ lines }: BirdReply): readonly SessionDetail[] {
  const starts = lines.flatMap(({ code }, index) => (code === protocolCode ? [index] : []));
  return starts.flatMap((start, index) => {
    const own = lines.slice(start, starts[index + 1]).map(({ text }) => text);
    return sessionOf(own) ?? [];
  });
}

/** The first line of a BGP protocol. */
export interface SessionHeading {
  readonly name: string;
  /** `down` only while it is disabled. */
  readonly state: string;
  /** A time, a date or both, as BIRD prints them; empty for a format of the operator's own. */
  readonly since: string;
}

const headingPattern =
  /^(\S+)\s+BGP\s+\S+\s+(\S+)\s*((?:\d{4}-\d{2}-\d{2}\b ?)?(?:\d{2}:\d{2}:\d{2}(?:\.\d+)?)?(?= |$))?/;

/** Parses the line that begins a BGP protocol; null for any other line. */
export function parseHeading({ code, text }: BirdLine): SessionHeading | null {
  const [, name, state, since = ""] = (code === protocolCode && headingPattern.exec(text)) || [];
  return name === undefined || state === undefined ? null : { name, state, since: since.trim() };
}

/** Returns null for a protocol other than BGP. */
function sessionOf([first = "", ...lines]: readonly string[]): SessionDetail | null {
  const heading = parseHeading({ code: protocolCode, text: first });
  const state = valueOf(lines, "  BGP state");
  if (heading === null || state === null) return null;
  const detail = valueOf(lines, "    Last error") ?? "";
  // BIRD forgets the error when the operator disables the session, and has one if it did so itself.
  const isDisabled = heading.state === "down" && detail === "";
  return {
    name: heading.name,
    state,
    ...(isDisabled && { isDisabled }),
    detail,
    neighbour: neighbourOf(lines),
    routes: channelsOf(lines, state),
  };
}

/**
 * Parses the neighbour's capabilities, which follow those of this node. A neighbour without the multiprotocol capability
 * supports IPv4 only (RFC 4760, section 8).
 */
function neighbourOf(lines: readonly string[]): SessionDetail["neighbour"] {
  const values = lines.map((line) => line.trim());
  const start = values.indexOf("Neighbor capabilities");
  if (start === -1) return null;
  const capabilities = values.slice(start);
  const announced = valueOf(capabilities, "AF announced");
  const families: readonly Family[] =
    announced === null
      ? ["IPv4"]
      : (["IPv4", "IPv6"] as const).filter((family) => announced.split(" ").includes(family.toLowerCase()));
  const nextHops = valueOf(capabilities, "IPv6 nexthop")?.split(" ") ?? [];
  return { families, extendedNextHop: nextHops.includes("ipv4") };
}

/**
 * Parses the routes of each channel. `Routes:` counts the routes in the table now. The lines below count updates since the
 * session came up: a route that is announced again is counted again, and a withdrawn one remains counted.
 *
 * The exported ones are those that BIRD has given to the session. BIRD 3 begins to count them when the session comes up, so it
 * prints those of the session before while it waits for a neighbour's graceful restart.
 */
function channelsOf(lines: readonly string[], state: string): SessionDetail["routes"] {
  const starts = lines.flatMap((line, index) => (/^ {2}Channel ipv[46]$/.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const channel = lines.slice(start, starts[index + 1]);
    const family = channel[0]?.endsWith("4") === true ? "IPv4" : "IPv6";
    const values = channel.map((line) => line.trim());
    // A channel that is down has no routes, and no line about them.
    const routes = valueOf(values, "Routes") ?? (valueOf(values, "State") === "DOWN" ? "" : null);
    const accepted = routes === null ? null : countBefore(routes, "imported");
    const filtered = routes === null ? null : countBefore(routes, "filtered");
    return {
      family,
      accepted,
      filtered,
      exported: routes === null ? null : state === "Established" ? countBefore(routes, "exported") : 0,
      malformedUpdates: routes === "" ? 0 : malformedOf(values),
      limits: routes === "" ? [] : limitsOf(values, { family, accepted, filtered }),
    };
  });
}

/** Parses `Import updates:`. Its first columns are received and rejected. */
function malformedOf(lines: readonly string[]): number | null {
  const count = Number(valueOf(lines, "Import updates")?.split(/\s+/)[1]);
  return Number.isNaN(count) ? null : count;
}

/**
 * Parses the limits that act: the channel accepts no further routes. That is so while the number of routes is the limit.
 * BIRD's mark (`Receive limit:  6000 [HIT]`) means less and more. BIRD 2 drops it at the next `configure`, although the
 * limit still acts; and with the mark it blocks new routes even after others were withdrawn. BIRD 3 keeps the mark until
 * the session restarts, but accepts new routes as soon as others are withdrawn.
 */
function limitsOf(
  lines: readonly string[],
  { family, accepted, filtered }: Pick<SessionDetail["routes"][number], "family" | "accepted" | "filtered">,
): readonly LimitHit[] {
  const counted = { import: accepted ?? 0, receive: (accepted ?? 0) + (filtered ?? 0) };
  const isBird3 = valueOf(lines, "Import state") !== null;
  return limitKinds.flatMap(([key, kind]) => {
    const [, limit, mark] = /^([0-9]+)( \[HIT\])?$/.exec(valueOf(lines, key) ?? "") ?? [];
    const routes = Number(limit);
    const isBlocked = mark !== undefined && !isBird3;
    return isBlocked || counted[kind] >= routes ? { family, kind, routes } : [];
  });
}

const limitKinds = [
  ["Import limit", "import"],
  ["Receive limit", "receive"],
] as const;

/** Returns the number before a word, as in `12 imported, 3 filtered, 40 exported`; 0 if BIRD omits it. */
function countBefore(routes: string, word: string): number {
  return Number(new RegExp(`\\b([0-9]{1,10}) ${word}`).exec(routes)?.[1] ?? 0);
}

function valueOf(lines: readonly string[], key: string): string | null {
  const line = lines.find((candidate) => candidate.startsWith(`${key}:`));
  return line === undefined ? null : line.slice(key.length + 1).trim();
}

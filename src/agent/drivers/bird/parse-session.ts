import type { LimitHit } from "../../../contract/agent.ts";
import type { Family } from "../../../domain/peering/bgp-sessions.ts";
import type { SessionDetail } from "../router.ts";
import type { BirdReply } from "./control-socket.ts";
import { parseProtocols } from "./parse-protocols.ts";

/** Parses one BGP protocol from `show protocols all <name>`; null if the reply contains none. */
export function parseSession(reply: BirdReply): SessionDetail | null {
  const [observed] = parseProtocols(reply);
  if (!observed) return null;
  const lines = reply.lines.map(({ text }) => text);
  return { ...observed, neighbour: neighbourOf(lines), routes: channelsOf(lines) };
}

/**
 * Parses the neighbour's capabilities, the lines indented deeper than their heading. A neighbour without the
 * multiprotocol capability supports IPv4 only (RFC 4760, section 8).
 */
function neighbourOf(lines: readonly string[]): SessionDetail["neighbour"] {
  const start = lines.findIndex((line) => line.trim() === "Neighbor capabilities");
  if (start === -1) return null;
  const indent = indentOf(lines[start] ?? "");
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => indentOf(line) <= indent);
  const capabilities = (end === -1 ? after : after.slice(0, end)).map((line) => line.trim());
  const announced = valueOf(capabilities, "AF announced");
  const families: readonly Family[] =
    announced === null
      ? ["IPv4"]
      : (["IPv4", "IPv6"] as const).filter((family) => announced.split(" ").includes(family.toLowerCase()));
  const nextHops = valueOf(capabilities, "IPv6 nexthop")?.split(" ") ?? [];
  return { families, extendedNextHop: nextHops.includes("ipv4") };
}

/**
 * Parses the route counts of each channel. BIRD does not count the routes that it drops over the receive
 * limit. That number is the received updates minus the withdrawals minus the kept routes; it is higher if a
 * route was announced again.
 */
function channelsOf(lines: readonly string[]): SessionDetail["routes"] {
  const starts = lines.flatMap((line, index) => (/^ {2}Channel ipv[46]$/.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const channel = lines.slice(start, starts[index + 1]);
    const family = channel[0]?.endsWith("4") === true ? "IPv4" : "IPv6";
    const counts = channel.map((line) => line.trim());
    const routes = valueOf(counts, "Routes") ?? "";
    // Columns: received, rejected, filtered, ignored, accepted.
    const [updates, withdraws] = ["Import updates", "Import withdraws"].map(
      (key) => valueOf(counts, key)?.split(/\s+/).map(Number) ?? [],
    );
    const limits = limitsOf(counts, family);
    const [imported, filtered, invalid] = [
      countBefore(routes, "imported"),
      countBefore(routes, "filtered"),
      updates?.[1] ?? 0,
    ];
    const announced = (updates?.[0] ?? 0) - (withdraws?.[0] ?? 0);
    const rejected = limits.some(({ kind }) => kind === "receive")
      ? Math.max(invalid, announced - imported - filtered)
      : invalid;
    return { family, received: imported + filtered + rejected, filtered, rejected, limits };
  });
}

/** Parses the limits that BIRD marks as hit: `Receive limit:  6000 [HIT]`. */
function limitsOf(lines: readonly string[], family: Family): readonly LimitHit[] {
  return limitKinds.flatMap(([key, kind]) => {
    const routes = /^([0-9]+) \[HIT\]$/.exec(valueOf(lines, key) ?? "")?.[1];
    return routes === undefined ? [] : { family, kind, routes: Number(routes) };
  });
}

const limitKinds = [
  ["Receive limit", "receive"],
  ["Import limit", "import"],
] as const;

/** Returns the number before a word, as in `12 imported, 3 filtered, 40 exported`; 0 if BIRD omits it. */
function countBefore(routes: string, word: string): number {
  return Number(new RegExp(`([0-9]+) ${word}`).exec(routes)?.[1] ?? 0);
}

function valueOf(lines: readonly string[], key: string): string | null {
  const line = lines.find((candidate) => candidate.startsWith(`${key}:`));
  return line === undefined ? null : line.slice(key.length + 1).trim();
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

import type { Family } from "../../../domain/bgp-sessions.ts";
import type { SessionDetail } from "../router.ts";
import type { BirdReply } from "./control-socket.ts";
import { parseProtocols } from "./parse-protocols.ts";

/** The details of one BGP protocol, from `show protocols all <name>`; null where the reply shows none. */
export function parseSession(reply: BirdReply): SessionDetail | null {
  const [observed] = parseProtocols(reply);
  if (!observed) return null;
  const lines = reply.lines.map(({ text }) => text);
  return { ...observed, neighbour: neighbourOf(lines), routes: channelsOf(lines) };
}

/**
 * What the neighbour announced, from the lines indented deeper than their heading. One that announces no
 * multiprotocol capability speaks IPv4 alone (RFC 4760, section 8).
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

function channelsOf(lines: readonly string[]): SessionDetail["routes"] {
  const starts = lines.flatMap((line, index) => (/^ {2}Channel ipv[46]$/.test(line) ? [index] : []));
  return starts.map((start, index) => {
    const channel = lines.slice(start, starts[index + 1]);
    const family = channel[0]?.endsWith("4") === true ? "IPv4" : "IPv6";
    const counts = channel.map((line) => line.trim());
    const routes = valueOf(counts, "Routes") ?? "";
    // Columns: received, rejected, filtered, ignored, accepted.
    const updates = valueOf(counts, "Import updates")?.split(/\s+/) ?? [];
    const [imported, filtered, rejected] = [
      countBefore(routes, "imported"),
      countBefore(routes, "filtered"),
      Number(updates[1] ?? 0),
    ];
    return { family, received: imported + filtered + rejected, filtered, rejected };
  });
}

/** Routes by their fate, as in `12 imported, 3 filtered, 40 exported`; BIRD leaves out what it does not keep. */
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

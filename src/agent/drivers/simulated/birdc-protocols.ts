/** The text of `birdc show protocols all` for the sessions of one peering. */
import type { Peering } from "#contract/agent.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import type { Family } from "#domain/peering/bgp-sessions.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { importLimit, receiveLimit } from "../bird/render.ts";
import { seeded } from "./seed.ts";
import type { SimulatedSession } from "./simulated-sessions.ts";

export interface ProtocolsContext {
  readonly peering: Peering;
  readonly providerAsn: string;
  readonly now: number;
}

export function birdcProtocols(sessions: readonly SimulatedSession[], context: ProtocolsContext): string {
  return [
    birdcBanner,
    "Name       Proto      Table      State  Since         Info",
    ...sessions.flatMap((session) => [...protocolLines(session, context), ""]),
  ].join("\n");
}

function protocolLines(shown: SimulatedSession, context: ProtocolsContext): readonly string[] {
  const { session, state, detail, since } = shown;
  const up = state === "Established";
  const columns = [
    session.name.padEnd(10),
    "BGP".padEnd(10),
    "---".padEnd(10),
    (up ? "up" : "start").padEnd(6),
    birdTime(since, context.now).padEnd(13),
  ];
  return [
    `${columns.join(" ")} ${state.padEnd(13)} ${detail}`.trimEnd(),
    `  BGP state:          ${state}`,
    ...neighbourLines(shown, context),
    ...(up ? sessionLines(shown, context) : []),
    ...(detail === "" ? [] : [`    Last error:       ${detail}`]),
    ...session.channels.flatMap((family) => channelLines(shown, family, context)),
  ];
}

function neighbourLines({ session }: SimulatedSession, { peering, providerAsn }: ProtocolsContext) {
  const address = session.transport === "IPv4" ? peering.peerIpv4 : onLink(peering.peerIpv6, peering.asn);
  return [
    `    Neighbor address: ${address}`,
    `    Neighbor AS:      ${peering.asn}`,
    `    Local AS:         ${providerAsn}`,
  ];
}

function sessionLines(shown: SimulatedSession, { peering, now }: ProtocolsContext): readonly string[] {
  const { session, neighbour, since } = shown;
  const source = session.transport === "IPv4" ? peering.localIpv4 : peering.localIpv6;
  const hold = 240 - (((now - since) / 1000) % 80);
  const keepalive = 80 - (((now - since) / 1000) % 80);
  return [
    `    Neighbor ID:      ${routerId(peering)}`,
    "    Local capabilities",
    ...capabilityLines(session.channels, session.extendedNextHop),
    "    Neighbor capabilities",
    ...capabilityLines(neighbour?.families ?? [], neighbour?.extendedNextHop ?? false),
    "    Session:          external AS4",
    `    Source address:   ${source}`,
    `    Hold timer:       ${hold.toFixed(3)}/240`,
    `    Keepalive timer:  ${keepalive.toFixed(3)}/80`,
  ];
}

function capabilityLines(families: readonly Family[], extendedNextHop: boolean): readonly string[] {
  return [
    "      Multiprotocol",
    `        AF announced: ${families.map((family) => family.toLowerCase()).join(" ")}`,
    "      Route refresh",
    ...(extendedNextHop ? ["      Extended next hop", "        IPv6 nexthop: ipv4"] : []),
    "      Graceful restart",
    "      4-octet AS numbers",
    "      Enhanced refresh",
    "      Long-lived graceful restart",
  ];
}

function channelLines(shown: SimulatedSession, family: Family, context: ProtocolsContext): readonly string[] {
  const route = shown.routes.find((counts) => counts.family === family);
  const head = [
    `  Channel ${family.toLowerCase()}`,
    `    State:          ${route ? "UP" : "DOWN"}`,
    `    Table:          ${tableOf(family)}`,
    "    Preference:     100",
    "    Input filter:   peerdeck_import",
    "    Output filter:  peerdeck_export",
    `    Receive limit:  ${receiveLimit}`,
    "      Action:       block",
    `    Import limit:   ${importLimit}`,
    "      Action:       block",
  ];
  if (!route) return head;
  const { accepted: imported, filtered, exported } = route;
  const nextHop =
    family === "IPv4" && !shown.session.extendedNextHop
      ? context.peering.localIpv4
      : context.peering.localIpv6;
  return [
    ...head,
    `    Routes:         ${imported} imported, ${filtered} filtered, ${exported} exported, ${imported} preferred`,
    "    Route change stats:     received   rejected   filtered    ignored   accepted",
    `      Import updates:     ${counters([imported + filtered, 0, filtered, 0, imported])}`,
    `      Import withdraws:   ${counters([0, 0, null, 0, 0])}`,
    `      Export updates:     ${counters([exported + imported, imported, 0, null, exported])}`,
    `      Export withdraws:   ${counters([0, null, null, null, 0])}`,
    `    BGP Next hop:   ${nextHop}`,
  ];
}

function counters(values: ReadonlyArray<number | null>): string {
  return values.map((value) => (value === null ? "---" : String(value)).padStart(10)).join(" ");
}

export function tableOf(family: Family): string {
  return family === "IPv4" ? "master4" : "master6";
}

/** Returns a link-local address with its interface, as BIRD prints it. */
export function onLink(address: string | null, asn: string): string {
  if (address === null) return "";
  return isLinkLocal(address) ? `${address}%${interfaceName(asn)}` : address;
}

function routerId(peering: Peering): string {
  return peering.peerIpv4 ?? `172.20.${Math.floor(seeded("id", peering.asn) * 256)}.1`;
}

/** The first line of every `birdc` output. */
export const birdcBanner = "BIRD 2.0.12 ready.";

/** Formats a time like BIRD's `iso short ms`, in UTC: the time of day for today, otherwise the date. */
export function birdTime(at: number, now: number): string {
  const [date = "", time = ""] = new Date(at).toISOString().slice(0, -1).split("T");
  return new Date(now).toISOString().startsWith(date) ? time : date;
}

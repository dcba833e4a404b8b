/** The texts of `birdc show route`: `protocol X`, `filtered protocol X` and `export X`. */
import type { Peering } from "#contract/agent.ts";
import type { RefusedRouteFact } from "#contract/call-tables/refused-route-facts.ts";
import { allocateLinkLocal } from "#domain/peering/allocation.ts";
import { type BgpSession, type Family, interfaceName } from "#domain/peering/bgp-sessions.ts";
import { annotateReasons, communityFunction } from "../bird/filter-reasons.ts";
import { birdcBanner, birdTime, tableOf } from "./birdc-protocols.ts";
import type { SimulatedRoute } from "./routes.ts";
import { seeded } from "./seed.ts";
import type { PeerRoutes, SimulatedSession } from "./simulated-sessions.ts";

/**
 * Prints all routes that the participant announces: accepted routes first, then those that the filters
 * rejected.
 */
export function birdcReceived(
  routes: Pick<PeerRoutes, "received">,
  sessions: readonly SimulatedSession[],
  context: Pick<ReceivedContext, "peering" | "providerAsn" | "now">,
): string {
  const tables = (filtered: boolean) =>
    channelsOf(sessions).flatMap(({ shown, family }) =>
      table(
        family,
        routes
          .received(family)
          .filter(({ refusal }) => (refusal !== null) === filtered)
          .map((route) => receivedLines(route, { ...context, shown, family })),
      ),
    );
  const refused = tables(true).map((line) => annotateReasons(line, context.providerAsn));
  return text([...tables(false), ...(refused.length > 0 ? ["", "Filtered:", ...refused] : [])]);
}

/** Returns the participant's routes that the filters rejected. */
export function refusedRoutes(
  routes: Pick<PeerRoutes, "received">,
  sessions: readonly SimulatedSession[],
): readonly RefusedRouteFact[] {
  return channelsOf(sessions).flatMap(({ family }) =>
    routes
      .received(family)
      .flatMap(({ prefix, path, refusal: reason }) =>
        reason === null
          ? []
          : { prefix, family, reason, origin: path.at(-1) ?? null, asPath: path.join(" ") },
      ),
  );
}

export interface AdvertisedContext {
  readonly node: string;
  /** All the provider's nodes. */
  readonly nodes: readonly string[];
  /** As in `SimulatedRouterOptions`. */
  readonly neighbours: ReadonlyMap<string, readonly string[]> | undefined;
  /** The AS numbers that peer with this node. */
  readonly peers: ReadonlySet<string>;
  readonly openedAt: number;
  readonly now: number;
}

/** Prints all routes that the node announces to the participant. */
export function birdcAdvertised(
  routes: Pick<PeerRoutes, "advertised">,
  sessions: readonly SimulatedSession[],
  context: AdvertisedContext,
): string {
  return text(
    channelsOf(sessions).flatMap(({ family }) =>
      table(
        family,
        routes.advertised(family).map((route) => advertisedLines(route, family, context)),
      ),
    ),
  );
}

/** The channels that are up. */
function channelsOf(sessions: readonly SimulatedSession[]) {
  return sessions.flatMap((shown) => shown.routes.map(({ family }) => ({ shown, family })));
}

function table(family: Family, routes: readonly string[]): readonly string[] {
  return routes.length === 0 ? [] : [`Table ${tableOf(family)}:`, ...routes];
}

interface ReceivedContext {
  readonly peering: Peering;
  readonly providerAsn: string;
  readonly shown: SimulatedSession;
  readonly family: Family;
  readonly now: number;
}

function receivedLines(
  { prefix, path, refusal }: SimulatedRoute,
  { peering, providerAsn, shown, family, now }: ReceivedContext,
): string {
  const { session, since } = shown;
  const mark = refusal === null ? "* " : "";
  const reason =
    refusal === null
      ? ""
      : `\n\tBGP.as_path: ${path.join(" ")}` +
        `\n\tBGP.large_community: (${providerAsn}, ${communityFunction}, ${refusal})`;
  return (
    `${prefix.padEnd(20)} unicast [${session.name} ${birdTime(since, now)}] ${mark}(100) [AS${path.at(-1)}i]` +
    `\n\tvia ${nextHopOf(peering, session, family)} on ${interfaceName(peering.asn)}${reason}`
  );
}

function nextHopOf(peering: Peering, session: BgpSession, family: Family): string {
  const overIpv6 = family === "IPv6" || session.extendedNextHop;
  return (overIpv6 ? peering.peerIpv6 : peering.peerIpv4) ?? "";
}

function advertisedLines(
  { prefix, path }: SimulatedRoute,
  family: Family,
  { node, nodes, neighbours, peers, openedAt, now }: AdvertisedContext,
): string {
  const age = 1000 * (60 + seeded("age", node, prefix) ** 3 * 20 * 86_400);
  const since = birdTime(openedAt - age, now);
  const origin = path.at(-1);
  if (origin === undefined) {
    return `${prefix.padEnd(20)} unreachable [provider_${family === "IPv4" ? "v4" : "v6"} ${since}] * (200)`;
  }
  const version = family === "IPv4" ? "v4" : "v6";
  const neighbour = path[0] ?? origin;
  const others = (neighbours?.get(neighbour) ?? nodes).filter((other) => other !== node);
  // A neighbour of another node: this node has no session with it.
  const from = peers.has(neighbour)
    ? undefined
    : others[Math.floor(seeded("neighbour's node", neighbour) * others.length)];
  const [protocol, via, device] =
    from === undefined
      ? [`dn42_${neighbour}`, allocateLinkLocal(neighbour), `dn42_${neighbour}`]
      : [`ibgp_${from}`, `fe80::${nodes.indexOf(from) + 1}`, from];
  return (
    `${prefix.padEnd(20)} unicast [${protocol}_${version} ${since}] * (100) ` +
    `[AS${origin}i]\n\tvia ${via} on ${device}\n\tBGP.as_path: ${path.join(" ")}`
  );
}

function text(lines: readonly string[]): string {
  return `${[birdcBanner, ...lines].join("\n")}\n`;
}

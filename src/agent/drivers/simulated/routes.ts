import type { Peering } from "#contract/agent.ts";
import { type Family, familyOf } from "#domain/peering/bgp-sessions.ts";
import { networkIpv4 } from "#domain/address-ranges.ts";
import { type Address, contains, formatAddress, networkOf, parseAddress } from "#domain/prefix.ts";
import { between, seeded } from "./seed.ts";
import { faultOf } from "./faults.ts";

export interface SimulatedRoute {
  /** `address/length` */
  readonly prefix: string;
  /** From the neighbour to the origin; empty for the provider's own. */
  readonly path: readonly string[];
  /** The number of the filters' reason; null for an accepted route. */
  readonly refusal: number | null;
}

/** A route that a registry authorises. */
export interface RegisteredRoute {
  /** `address/length` */
  readonly prefix: string;
  /** The AS number. */
  readonly origin: string;
}

export interface SimulatedRoutesOptions {
  readonly node: string;
  readonly providerAsn: string;
  /** All routes of the simulated network. Without them, routes are generated. */
  readonly registered?: readonly RegisteredRoute[];
  /** The participants from which the provider has the routes, by AS number. Without them, any AS may be one. */
  readonly neighbours?: ReadonlyMap<string, unknown>;
}

/** The state on which a node's table depends. */
export interface TableContext {
  readonly now: number;
  /** The node's peerings. */
  readonly peerings: readonly Peering[];
}

/** The routes of one simulated node. Every listing and every count comes from these. */
export interface SimulatedRoutes {
  /** Returns the routes that a participant announces: accepted ones, and those that its simulated fault adds. */
  readonly received: (peering: Peering, family: Family) => readonly SimulatedRoute[];
  /** Returns the routes in the node's table, the provider's own first. */
  readonly table: (family: Family, context: TableContext) => readonly SimulatedRoute[];
  /** Returns the routes in the table that did not come from this participant. */
  readonly advertised: (peering: Peering, family: Family, context: TableContext) => readonly SimulatedRoute[];
}

export function createSimulatedRoutes(options: SimulatedRoutesOptions): SimulatedRoutes {
  const { node, providerAsn, registered, neighbours } = options;

  const networkByFamily = { IPv4: readNetwork("IPv4"), IPv6: readNetwork("IPv6") };

  /** The provider's own routes first, then those of all others. */
  function readNetwork(family: Family): readonly SimulatedRoute[] {
    return registered
      ? routeRegistered(registered, family, { node, providerAsn, ...(neighbours && { neighbours }) })
      : generateOthers(node, providerAsn, family);
  }

  function received(peering: Peering, family: Family): readonly SimulatedRoute[] {
    const { asn } = peering;
    const prefixes = registered
      ? registered.filter((route) => route.origin === asn && familyOf(route.prefix) === family).map(prefixOf)
      : generatePrefixes(peering, family);
    const own = prefixes.map((prefix) => ({ prefix, path: [asn], refusal: null }));
    return [...own, ...refusedRoutes(peering, family)];
  }

  function accepted(peering: Peering, family: Family): readonly SimulatedRoute[] {
    return received(peering, family).filter(({ refusal }) => refusal === null);
  }

  function table(family: Family, { now, peerings }: TableContext): readonly SimulatedRoute[] {
    const window = Math.floor(now / outageMs);
    const others = uniqueByPrefix(
      networkByFamily[family].filter(({ path }) => {
        const origin = path.at(-1);
        // A node that has a session with it accepts its routes all the time, and so do the others.
        return isPresent(origin, window) || neighbours?.has(origin ?? "") === true;
      }),
    );
    // A participant's own announcement has the shortest path.
    const direct = peerings.flatMap((peering) => accepted(peering, family));
    const known = new Set(direct.map(prefixOf));
    return [...others.filter(({ prefix }) => !known.has(prefix)), ...uniqueByPrefix(direct)];
  }

  return {
    received,
    table,
    advertised: (peering, family, context) => {
      const own = new Set(accepted(peering, family).map(prefixOf));
      return table(family, context).filter(({ prefix }) => !own.has(prefix));
    },
  };
}

const outageMs = 10 * 60_000;

/** Whether an AS announces its routes. Occasionally one does not for ten minutes. The provider's own have no origin. */
function isPresent(origin: string | undefined, window: number): boolean {
  return origin === undefined || seeded("away", origin, window) > 0.04;
}

function routeRegistered(
  registered: readonly RegisteredRoute[],
  family: Family,
  { node, providerAsn, neighbours }: Omit<SimulatedRoutesOptions, "registered">,
): readonly SimulatedRoute[] {
  const asns = Array.from(new Set(registered.map(({ origin }) => origin)));
  const routes = registered
    .filter((route) => familyOf(route.prefix) === family)
    .map(({ prefix, origin }) => {
      if (origin === providerAsn) return { prefix, path: [], refusal: null };
      const transits = asns.filter((asn) => asn !== origin && asn !== providerAsn);
      const hops = Math.floor(seeded("length", node, origin) * Math.min(3, transits.length));
      const path = Array.from({ length: hops }, (_, hop) => {
        const index = Math.floor(seeded("hop", node, origin, hop) * transits.length);
        return transits.splice(index, 1)[0] ?? origin;
      });
      const whole = [...path, origin];
      return { prefix, path: neighbours ? beginAtNeighbour(whole, neighbours, node) : whole, refusal: null };
    });
  return routes.toSorted((a, b) => Number(a.path.length > 0) - Number(b.path.length > 0));
}

/** A route comes from a participant: one is put before a path that begins elsewhere. */
function beginAtNeighbour(
  path: readonly string[],
  neighbours: ReadonlyMap<string, unknown>,
  node: string,
): readonly string[] {
  const [first = ""] = path;
  if (neighbours.has(first)) return path;
  const others = Array.from(neighbours.keys()).filter((asn) => !path.includes(asn));
  const neighbour = others[Math.floor(seeded("neighbour", node, first) * others.length)];
  return neighbour === undefined ? path : [neighbour, ...path];
}

function uniqueByPrefix(routes: readonly SimulatedRoute[]): readonly SimulatedRoute[] {
  return Array.from(new Map(routes.toReversed().map((route) => [route.prefix, route])).values()).toReversed();
}

function prefixOf({ prefix }: { readonly prefix: string }): string {
  return prefix;
}

/** Generates one to three networks. */
function generatePrefixes(peering: Peering, family: Family): readonly string[] {
  const count = 1 + Math.floor(seeded("count", peering.asn, family) * 3);
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? homeOf(peering, family) : networkFor(family, "more", peering.asn, index),
  );
}

/** The rejected routes that a participant's simulated fault adds. */
function refusedRoutes(peering: Peering, family: Family): readonly SimulatedRoute[] {
  const { asn } = peering;
  const fault = faultOf(peering);
  if (fault !== "unregistered route" && fault !== "refused routes") return [];
  const unregistered = { prefix: networkFor(family, "unregistered", asn), path: [asn], refusal: 5 };
  return fault === "unregistered route" ? [unregistered] : [unregistered, ...refusedFor(asn, family)];
}

/** Registered prefixes have the same holders as in the demo's registry and profile. */
function refusedFor(asn: string, family: Family): readonly SimulatedRoute[] {
  const sixty = Array<string>(60).fill(asn);
  const isBram = asn === "4242420002";
  const [defaultRoute, outside, length, provider, others, narrow] =
    family === "IPv4"
      ? [
          "0.0.0.0/0",
          "198.51.100.0/24",
          "172.20.1.0/30",
          "172.20.222.64/26",
          isBram ? "172.20.3.0/27" : "172.20.2.0/26",
          "172.20.1.32/27",
        ]
      : [
          "::/0",
          "2001:db8::/32",
          "fd42:4242::/32",
          "fd42:4242:2227:1::/64",
          isBram ? "fd42:4242:3::/48" : "fd42:4242:2::/48",
          "fd42:4242:1:1::/64",
        ];
  return [
    { prefix: defaultRoute, path: [asn], refusal: 1 },
    { prefix: outside, path: [asn], refusal: 2 },
    { prefix: length, path: [asn], refusal: 3 },
    { prefix: provider, path: [asn], refusal: 4 },
    { prefix: others, path: [asn], refusal: 6 },
    { prefix: narrow, path: [asn], refusal: 6 },
    { prefix: networkFor(family, "bogon", asn), path: [asn, "65540"], refusal: 7 },
    { prefix: networkFor(family, "long", asn), path: sixty, refusal: 8 },
  ];
}

/** Generates the provider's own network and about two dozen others. */
function generateOthers(node: string, providerAsn: string, family: Family): readonly SimulatedRoute[] {
  const count = 22 + Math.floor(seeded("others", node, family) * 6);
  const others = Array.from({ length: count }, (_, index) => {
    const path = Array.from(
      { length: 1 + Math.floor(seeded("length", node, family, index) * 3) },
      (__, hop) => asnFor(node, family, index, hop),
    );
    return { prefix: networkFor(family, "other", node, index), path, refusal: null };
  });
  return [{ prefix: networkFor(family, "provider", providerAsn), path: [], refusal: null }, ...others];
}

/**
 * Returns the network around the participant's tunnel address if dn42 routes it, otherwise a generated one.
 */
function homeOf(peering: Peering, family: Family): string {
  const address = family === "IPv4" && peering.peerIpv4 !== null ? parseAddress(peering.peerIpv4) : null;
  if (address && networkIpv4.some((range) => contains(range, address))) return networkAround(address, 27);
  return networkFor(family, "home", peering.asn);
}

function networkFor(family: Family, ...parts: ReadonlyArray<string | number>): string {
  if (family === "IPv4") {
    const host = Math.floor(between(0, 2 ** 18, "ipv4", ...parts));
    const value = (172n << 24n) | (20n << 16n) | BigInt(host);
    return networkAround({ bits: 32, value }, 24 + Math.floor(seeded("mask", ...parts) * 5));
  }
  const high = BigInt(Math.floor(between(0, 2 ** 32, "high", ...parts)));
  const low = BigInt(Math.floor(between(0, 2 ** 8, "low", ...parts)));
  return networkAround({ bits: 128, value: (0xfdn << 120n) | (high << 88n) | (low << 80n) }, 48);
}

function networkAround(address: Address, length: number): string {
  return `${formatAddress({ bits: address.bits, value: networkOf(address, length) })}/${length}`;
}

function asnFor(...parts: ReadonlyArray<string | number>): string {
  return String(4_242_420_000 + Math.floor(between(1, 4000, "asn", ...parts)));
}

/**
 * The elements of the packet filter's sets that change while the agent runs: with the peerings of this node, and with what
 * the server says of the other nodes.
 */
import type { OtherNode } from "#contract/call-tables/other-node-calls.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { parseAddress, parsePrefix } from "#domain/prefix.ts";
import type { RoutedPeering } from "../router.ts";
import { outermost, type SourcesByInterface, toElement } from "./strict-sources.ts";

/** A participant's interface with the addresses of its tunnel, which are unknown for a leftover one. */
export interface FirewallPeer {
  readonly name: string;
  readonly peerAddresses: readonly string[];
  readonly localAddresses: readonly string[];
}

/** The elements of the sets that change, by the name of the set. */
export type FirewallElements = ReadonlyMap<string, ReadonlySet<string>>;

export const tableName = "peerdeck";

export const families = [
  { bits: 32, suffix: "4", type: "ipv4_addr" },
  { bits: 128, suffix: "6", type: "ipv6_addr" },
] as const;

/** The sets that the kernel fills: a rate limit for each interface, and queries that other nodes have sent. */
export const kernelSets = { rates: "icmp_rates", queries4: "queries4", queries6: "queries6" } as const;

export function firewallPeerOf({ peering }: RoutedPeering): FirewallPeer {
  return {
    name: interfaceName(peering.asn),
    peerAddresses: [peering.peerIpv4, peering.peerIpv6].filter((address) => address !== null),
    localAddresses: [peering.localIpv4, peering.localIpv6].filter((address) => address !== null),
  };
}

/**
 * Returns the elements; a peer that is given twice counts once. Every address is canonical.
 *
 * @param sources where peers may send from; peers without an entry are not limited to prefixes
 * @param servers prefixes of the servers
 */
export function firewallElements(
  peers: readonly FirewallPeer[],
  otherNodes: readonly OtherNode[] = [],
  sources: SourcesByInterface = new Map(),
  servers: readonly string[] = [],
): FirewallElements {
  const pairs = peers.flatMap(({ name, peerAddresses }) =>
    peerAddresses.map((address) => ({ name, address })),
  );
  const local = peers.flatMap(({ localAddresses }) => localAddresses);
  const names = new Set(peers.map(({ name }) => name));
  const elsewhere = otherNodes
    .flatMap(({ tunnels }) => tunnels)
    .flatMap(({ asn, addresses }) => addresses.map((address) => ({ name: interfaceName(asn), address })));
  const ofNodes = [...local, ...otherNodes.flatMap(({ addresses }) => addresses)];
  const services = otherNodes.flatMap(servicesOf);
  const strict = Array.from(names).filter((name) => sources.has(name));
  const prefixes = strict.flatMap((name) => (sources.get(name) ?? []).map((address) => ({ name, address })));
  const ofServers = outermost(servers.flatMap((text) => parsePrefix(text) ?? [])).map(toElement);
  const byFamily = families.flatMap(({ bits, suffix }) => {
    const isOfFamily = ({ address }: { readonly address: string }) => bitsOf(address) === bits;
    const isRoutedOfFamily = (address: string) => bitsOf(address) === bits && !isLinkLocal(address);
    const addressesOf = (list: typeof pairs) => list.map(({ address }) => address).filter(isRoutedOfFamily);
    const pairsOf = (list: typeof pairs) => list.filter(isOfFamily).map(onInterface);
    return [
      [`servers${suffix}`, new Set(ofServers.filter((address) => bitsOf(address) === bits))],
      [`nodes${suffix}`, new Set(ofNodes.filter(isRoutedOfFamily))],
      [`peers${suffix}`, new Set([...addressesOf(pairs), ...addressesOf(elsewhere)])],
      [`neighbours${suffix}`, new Set(pairsOf(pairs))],
      [`elsewhere${suffix}`, new Set(pairsOf(elsewhere.filter(({ name }) => names.has(name))))],
      [`sources${suffix}`, new Set(pairsOf(prefixes))],
      [`services${suffix}`, new Set(services.filter(isOfFamily).map(({ element }) => element))],
    ] as const;
  });
  return new Map([
    ["participants", new Set(Array.from(names, quoted))],
    ["strict", new Set(strict.map(quoted))],
    ...byFamily,
  ]);
}

/** The services of another node that participants may use; without an address, on each address of that node. */
function servicesOf({ addresses, services }: OtherNode) {
  return services.flatMap(({ protocol, port, address: only }) =>
    (only === undefined ? addresses : [only]).map((address) => ({
      address,
      element: `${address} . ${protocol} . ${port}`,
    })),
  );
}

/** Renders a file for `nft -f` that changes the elements of the table; empty if nothing changes. */
export function renderChange(from: FirewallElements, to: FirewallElements): string {
  const commands = Array.from(to).map(([name, elements]) => {
    const before = from.get(name) ?? new Set();
    const command = (verb: string, changed: readonly string[]) =>
      changed.length === 0 ? "" : `${verb} element inet ${tableName} ${name} { ${changed.join(", ")} }\n`;
    const added = Array.from(elements).filter((one) => !before.has(one));
    const deleted = Array.from(before).filter((one) => !elements.has(one));
    // Intervals must not overlap with deleted ones.
    return command("delete", deleted) + command("add", added);
  });
  return commands.join("");
}

/** Divides nft's listing of the table into its elements that change, and the text of the rest. */
export function parseListing(listing: string): {
  readonly rest: string;
  readonly elements: FirewallElements;
} {
  const filledByKernel: readonly string[] = Object.values(kernelSets);
  const elements = new Map(Array.from(firewallElements([]).keys(), (name) => [name, new Set<string>()]));
  const rest = listing.replaceAll(setElements, (block, head: string, name: string, list: string) => {
    if (filledByKernel.includes(name)) return head;
    if (!elements.has(name)) return block;
    elements.set(name, new Set(list.split(",").map((one) => one.trim())));
    return head;
  });
  return { rest, elements };
}

const setElements = /(\tset (\w+) \{[^{}]*)\t\telements = \{([^{}]*)\}\n/g;

export const bitsOf = (text: string) => parseAddress(text.split("/")[0] ?? "")?.bits ?? 0;
export const quoted = (name: string) => `"${name}"`;

function onInterface({ name, address }: { readonly name: string; readonly address: string }): string {
  return `${quoted(name)} . ${address}`;
}

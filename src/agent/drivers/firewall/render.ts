/**
 * Renders the node's packet filter, the nftables table `inet peerdeck`: what participants may send to the node
 * and through it (decision 20), and from where the agent's port can be reached.
 *
 * Every rendered value is a number, a canonical address, or an interface name without special characters.
 */
import { isLinkLocal, networkIpv4, networkIpv6 } from "#domain/address-ranges.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { contains, formatPrefix, parseAddress, parsePrefix, type Prefix } from "#domain/prefix.ts";
import type { RoutedPeering } from "../router.ts";

/** A service of the node that participants may use. */
export interface AllowedInput {
  readonly protocol: "tcp" | "udp";
  readonly port: number;
  /** Canonical text; without it, the port is open on all addresses of the node. */
  readonly address?: string | undefined;
}

/** The node's configuration of its packet filter. Addresses and prefixes are canonical texts. */
export interface FirewallPolicy {
  /** The interfaces, besides tunnels of participants, to and from which their traffic is forwarded. */
  readonly interfaces: readonly string[];
  /** The provider's prefixes and the node's own addresses, as prefixes. Participants must not send from them. */
  readonly ownPrefixes: readonly string[];
  /** Where the agent listens. */
  readonly agent: { readonly host: string; readonly port: number };
  /** Prefixes of the servers, which alone reach the agent's port; empty if they are not known. */
  readonly servers: readonly string[];
  readonly allowInput: readonly AllowedInput[];
  /** Whether replies to the node's own connections are accepted, which makes the kernel track connections. */
  readonly acceptReplies: boolean;
}

/** A participant's interface with the addresses of its tunnel, which are unknown for a leftover one. */
export interface FirewallPeer {
  readonly name: string;
  readonly peerAddresses: readonly string[];
  readonly localAddresses: readonly string[];
}

/** The elements of the sets that depend on the peerings, by the name of the set. */
export type FirewallElements = ReadonlyMap<string, ReadonlySet<string>>;

export const tableName = "peerdeck";
/** The set with a rate limit for each interface, which the kernel fills. */
const rateSet = "icmp_rates";

/** ICMP packets a second from one interface, enough for a path MTU discovery and a few people with `ping`. */
const icmpRate = "100/second burst 200 packets";

export function firewallPeerOf({ peering }: RoutedPeering): FirewallPeer {
  return {
    name: interfaceName(peering.asn),
    peerAddresses: [peering.peerIpv4, peering.peerIpv6].filter((address) => address !== null),
    localAddresses: [peering.localIpv4, peering.localIpv6].filter((address) => address !== null),
  };
}

/** Returns the elements for peers; a peer that is given twice counts once. */
export function firewallElements(peers: readonly FirewallPeer[]): FirewallElements {
  const pairs = peers.flatMap(({ name, peerAddresses }) =>
    peerAddresses.map((address) => ({ name, address })),
  );
  const local = peers.flatMap(({ localAddresses }) => localAddresses);
  const byFamily = families.flatMap(({ bits, suffix }) => {
    const isOfFamily = (address: string) => bitsOf(address) === bits;
    const neighbours = pairs.filter(({ address }) => isOfFamily(address));
    return [
      [`local${suffix}`, new Set(local.filter(isOfFamily).filter(isRouted))],
      [`peers${suffix}`, new Set(neighbours.map(({ address }) => address).filter(isRouted))],
      [`neighbours${suffix}`, new Set(neighbours.map(({ name, address }) => `${quoted(name)} . ${address}`))],
    ] as const;
  });
  const names = peers.map(({ name }) => quoted(name));
  return new Map([["participants", new Set(names)], ...byFamily]);
}

/** Renders a file for `nft -f` that changes the elements of the table; empty if nothing changes. */
export function renderChange(from: FirewallElements, to: FirewallElements): string {
  const commands = Array.from(to).map(([name, elements]) => {
    const before = from.get(name) ?? new Set();
    const command = (verb: string, changed: readonly string[]) =>
      changed.length === 0 ? "" : `${verb} element inet ${tableName} ${name} { ${changed.join(", ")} }\n`;
    const added = Array.from(elements).filter((one) => !before.has(one));
    const deleted = Array.from(before).filter((one) => !elements.has(one));
    return command("add", added) + command("delete", deleted);
  });
  return commands.join("");
}

/** Renders a file for `nft -f`, which replaces the whole table in one transaction. */
export function renderFirewall(policy: FirewallPolicy, elements: FirewallElements): string {
  return `${replaceTable}table inet ${tableName} {
${sets(policy, elements).join("\n")}

    # The source is the interface's own tunnel address, or in the network but neither the provider's nor the
    # tunnel address of another participant.
    chain check_source {
        iifname . ip saddr @neighbours4 return
        iifname . ip6 saddr @neighbours6 return
        ip saddr != @network4 drop
        ip6 saddr != @network6 drop
        ip saddr @own4 drop
        ip6 saddr @own6 drop
        ip saddr @local4 drop
        ip6 saddr @local6 drop
        ip saddr @peers4 drop
        ip6 saddr @peers6 drop
    }

    chain input_from_participant {
        icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
        meta nfproto ipv4 jump check_source
        ip6 saddr != fe80::/10 jump check_source
        # They could change the node's routes.
        icmp type redirect drop
        icmpv6 type { nd-router-advert, nd-redirect } drop
        meta l4proto { icmp, ipv6-icmp } update @${rateSet} { iifname limit rate over ${icmpRate} } drop
        meta l4proto { icmp, ipv6-icmp } accept
        iifname . ip saddr @neighbours4 tcp dport 179 accept
        iifname . ip6 saddr @neighbours6 tcp dport 179 accept
        # Replies to connections that the node opened: anything but the first packet of a connection.
        iifname . ip saddr @neighbours4 tcp sport 179 tcp flags & (syn | ack) != syn accept
        iifname . ip6 saddr @neighbours6 tcp sport 179 tcp flags & (syn | ack) != syn accept
${lines(policy.allowInput.map(allowRule), policy.acceptReplies ? ["ct state established accept"] : [])}        drop
    }

    chain forward_for_participant {
        iifname != @participants iifname != @inside drop
        oifname != @participants oifname != @inside drop
        ip saddr != @network4 drop
        ip daddr != @network4 drop
        ip6 saddr != @network6 drop
        ip6 daddr != @network6 drop
        iifname @participants jump forward_from_participant
        tcp flags & (syn | rst) == syn tcp option maxseg size set rt mtu
    }

    chain forward_from_participant {
        jump check_source
${lines(agentForwardRules(policy))}    }

    chain input_to_agent {
        ip saddr @servers4 accept
        ip6 saddr @servers6 accept
        drop
    }

    chain input {
        type filter hook input priority filter; policy accept;
        iifname @participants goto input_from_participant
${lines(agentInputRules(policy))}    }

    chain forward {
        type filter hook forward priority filter; policy accept;
        iifname @participants goto forward_for_participant
        oifname @participants goto forward_for_participant
    }
}
`;
}

/** Removes the table, also if it does not exist, so that what follows in the same file replaces it. */
export const replaceTable = `add table inet ${tableName}\ndelete table inet ${tableName}\n`;

/** Divides nft's listing of the table into its elements that depend on the peerings, and the text of the rest. */
export function parseListing(listing: string): {
  readonly rest: string;
  readonly elements: FirewallElements;
} {
  const elements = new Map(Array.from(firewallElements([]).keys(), (name) => [name, new Set<string>()]));
  const rest = listing.replaceAll(setElements, (block, head: string, name: string, list: string) => {
    if (!elements.has(name) && name !== rateSet) return block;
    elements.set(name, new Set(list.split(",").map((one) => one.trim())));
    return head;
  });
  elements.delete(rateSet);
  return { rest, elements };
}

const setElements = /(\tset (\w+) \{[^{}]*)\t\telements = \{([^{}]*)\}\n/g;

function sets(policy: FirewallPolicy, elements: FirewallElements): readonly string[] {
  const network = [...[...networkIpv4, ...networkIpv6].map(formatPrefix), ...policy.ownPrefixes];
  const elementsOf = (name: string) => Array.from(elements.get(name) ?? []).toSorted();
  const ofPeers = (name: string, type: string) => set(name, type, elementsOf(name));
  const byFamily = families.flatMap(({ bits, suffix, type }) => [
    set(`network${suffix}`, `${type}; flags interval`, outermost(network, bits)),
    set(`own${suffix}`, `${type}; flags interval`, outermost(policy.ownPrefixes, bits)),
    set(`servers${suffix}`, `${type}; flags interval`, outermost(policy.servers, bits)),
    ofPeers(`local${suffix}`, type),
    ofPeers(`peers${suffix}`, type),
    ofPeers(`neighbours${suffix}`, `ifname . ${type}`),
  ]);
  return [
    ofPeers("participants", "ifname"),
    set("inside", "ifname", policy.interfaces.map(quoted)),
    ...byFamily,
    set(rateSet, "ifname; size 65535; flags dynamic,timeout; timeout 1m", []),
  ];
}

const families = [
  { bits: 32, suffix: "4", type: "ipv4_addr" },
  { bits: 128, suffix: "6", type: "ipv6_addr" },
] as const;

function set(name: string, type: string, elements: readonly string[]): string {
  const distinct = Array.from(new Set(elements)).toSorted();
  const list =
    distinct.length === 0
      ? ""
      : `        elements = {\n${distinct.map((one) => `            ${one},\n`).join("")}        }\n`;
  return `    set ${name} {\n        type ${type};\n${list}    }`;
}

function allowRule({ protocol, port, address }: AllowedInput): string {
  const destination = address === undefined ? "" : `${familyOf(address)} daddr ${address} `;
  return `${destination}${protocol} dport ${port} accept`;
}

/** The agent's port on the node. The server may run on the node itself. */
function agentInputRules({ agent, servers }: FirewallPolicy): readonly string[] {
  if (servers.length === 0 || agent.port === 0) return [];
  const destinations: Readonly<Record<string, string>> = { "0.0.0.0": "meta nfproto ipv4 ", "::": "" };
  const destination = destinations[agent.host] ?? `${familyOf(agent.host)} daddr ${agent.host} `;
  return [`iifname != "lo" ${destination}tcp dport ${agent.port} goto input_to_agent`];
}

/** The agents' port on the provider's other nodes, to which its own tunnels lead. */
function agentForwardRules({ agent }: FirewallPolicy): readonly string[] {
  if (agent.port === 0) return [];
  return families.map(
    ({ suffix }) => `${suffix === "4" ? "ip" : "ip6"} daddr @own${suffix} tcp dport ${agent.port} drop`,
  );
}

function lines(...groups: ReadonlyArray<readonly string[]>): string {
  return groups
    .flat()
    .map((rule) => `        ${rule}\n`)
    .join("");
}

/** Returns the prefixes of a family that no other one contains: elements of a set must not overlap. */
function outermost(texts: readonly string[], bits: number): readonly string[] {
  const all = Array.from(new Set(texts))
    .flatMap((text) => parsePrefix(text) ?? [])
    .filter((one) => one.bits === bits);
  const isInside = (one: Prefix) => all.some((other) => other.length < one.length && contains(other, one));
  return all.filter((one) => !isInside(one)).map(formatPrefix);
}

const bitsOf = (text: string) => parseAddress(text.split("/")[0] ?? "")?.bits ?? 0;
const familyOf = (address: string) => (bitsOf(address) === 32 ? "ip" : "ip6");
const isRouted = (address: string) => !isLinkLocal(address);
const quoted = (name: string) => `"${name}"`;

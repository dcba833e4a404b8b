/**
 * Renders the node's packet filter, the nftables table `inet peerdeck`: what participants may send to the node
 * and through it (decision 20), and from where the agent's port can be reached.
 *
 * Every rendered value is a number, a canonical address, or an interface name without special characters.
 */
import { networkRanges } from "#domain/address-ranges.ts";
import { formatPrefix, parsePrefix } from "#domain/prefix.ts";
import { bitsOf, families, type FirewallElements, kernelSets, quoted, tableName } from "./elements.ts";
import { outermost } from "./strict-sources.ts";

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
  /** Prefixes of the servers until other ones are set, as in `OtherNodesState`. */
  readonly servers: readonly string[];
  readonly allowInput: readonly AllowedInput[];
  /** Whether replies to the node's own connections are accepted, which makes the kernel track connections. */
  readonly acceptReplies: boolean;
}

/** ICMP packets a second from one interface, enough for a path MTU discovery and a few people with `ping`. */
const icmpRate = "100/second burst 200 packets";

/** Renders a file for `nft -f`, which replaces the whole table in one transaction. */
export function renderFirewall(policy: FirewallPolicy, elements: FirewallElements): string {
  return `${replaceTable}table inet ${tableName} {
${sets(policy, elements).join("\n")}

    # The source is a tunnel address of the participant, here or on another node, or in the network but neither the
    # provider's nor the tunnel address of another participant.
    chain check_source {
        iifname . ip saddr @neighbours4 return
        iifname . ip6 saddr @neighbours6 return
        iifname . ip saddr @elsewhere4 return
        iifname . ip6 saddr @elsewhere6 return
        ip saddr != @network4 drop
        ip6 saddr != @network6 drop
        ip saddr @own4 drop
        ip6 saddr @own6 drop
        ip saddr @nodes4 drop
        ip6 saddr @nodes6 drop
        ip saddr @peers4 drop
        ip6 saddr @peers6 drop
        iifname @strict iifname . ip saddr != @sources4 drop
        iifname @strict iifname . ip6 saddr != @sources6 drop
    }

    chain input_from_participant {
        icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } accept
        meta nfproto ipv4 jump check_source
        ip6 saddr != fe80::/10 jump check_source
        # They could change the node's routes.
        icmp type redirect drop
        icmpv6 type { nd-router-advert, nd-redirect } drop
        meta l4proto { icmp, ipv6-icmp } update @${kernelSets.rates} { iifname limit rate over ${icmpRate} } drop
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
        # Queries of other nodes to participants.
        iifname @inside ip saddr @nodes4 meta l4proto udp update @queries4 { ip saddr . udp sport . ip daddr . udp dport }
        iifname @inside ip6 saddr @nodes6 meta l4proto udp update @queries6 { ip6 saddr . udp sport . ip6 daddr . udp dport }
        tcp flags & (syn | rst) == syn tcp option maxseg size set rt mtu
    }

    chain forward_from_participant {
        jump check_source
${lines(agentForwardRules(policy))}        ip daddr @nodes4 goto forward_to_node
        ip6 daddr @nodes6 goto forward_to_node
    }

    # To another node: its services, and replies to its own packets.
    chain forward_to_node {
        meta l4proto { icmp, ipv6-icmp } return
        # Only the first fragment has ports, and without it the others cannot be reassembled.
        ip frag-off & 0x1fff != 0 return
        frag frag-off != 0 return
        # Anything but the first packet of a connection.
        tcp flags & (syn | ack) != syn return
        ip daddr . meta l4proto . th dport @services4 return
        ip6 daddr . meta l4proto . th dport @services6 return
        ip daddr . udp dport . ip saddr . udp sport @queries4 return
        ip6 daddr . udp dport . ip6 saddr . udp sport @queries6 return
        drop
    }

    chain input_to_agent {
        ip saddr @servers4 accept
        ip6 saddr @servers6 accept
        drop
    }

    chain input {
        type filter hook input priority filter; policy accept;
        iifname @participants goto input_from_participant
${lines(agentInputRules(policy, elements))}    }

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

function sets(policy: FirewallPolicy, elements: FirewallElements): readonly string[] {
  const network = [...networkRanges.map(formatPrefix), ...policy.ownPrefixes];
  const elementsOf = (name: string) => Array.from(elements.get(name) ?? []).toSorted();
  const changing = (name: string, type: string) => set(name, type, elementsOf(name));
  const byFamily = families.flatMap(({ bits, suffix, type }) => [
    set(`network${suffix}`, `${type}; flags interval`, outermostOf(network, bits)),
    set(`own${suffix}`, `${type}; flags interval`, outermostOf(policy.ownPrefixes, bits)),
    changing(`servers${suffix}`, `${type}; flags interval`),
    changing(`nodes${suffix}`, type),
    changing(`services${suffix}`, `${type} . inet_proto . inet_service`),
    changing(`peers${suffix}`, type),
    changing(`neighbours${suffix}`, `ifname . ${type}`),
    changing(`elsewhere${suffix}`, `ifname . ${type}`),
    changing(`sources${suffix}`, `ifname . ${type}; flags interval`),
    set(
      kernelSets[`queries${suffix}`],
      `${type} . inet_service . ${type} . inet_service; size 65535; flags dynamic,timeout; timeout 2m`,
      [],
    ),
  ]);
  return [
    changing("participants", "ifname"),
    changing("strict", "ifname"),
    set("inside", "ifname", policy.interfaces.map(quoted)),
    ...byFamily,
    set(kernelSets.rates, "ifname; size 65535; flags dynamic,timeout; timeout 1m", []),
  ];
}

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
function agentInputRules({ agent }: FirewallPolicy, elements: FirewallElements): readonly string[] {
  if (!limitsAgentPort(elements) || agent.port === 0) return [];
  const destinations: Readonly<Record<string, string>> = { "0.0.0.0": "meta nfproto ipv4 ", "::": "" };
  const destination = destinations[agent.host] ?? `${familyOf(agent.host)} daddr ${agent.host} `;
  return [`iifname != "lo" ${destination}tcp dport ${agent.port} goto input_to_agent`];
}

/** Whether servers are known, so that the table has rules for the agent's port. */
export function limitsAgentPort(elements: FirewallElements): boolean {
  return families.some(({ suffix }) => (elements.get(`servers${suffix}`)?.size ?? 0) > 0);
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

/** Returns the prefixes of a family that no other one contains. */
function outermostOf(texts: readonly string[], bits: number): readonly string[] {
  const all = texts.flatMap((text) => parsePrefix(text) ?? []);
  return outermost(all.filter((one) => one.bits === bits)).map(formatPrefix);
}

const familyOf = (address: string) => (bitsOf(address) === 32 ? "ip" : "ip6");

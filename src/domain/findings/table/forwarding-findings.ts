/** Why a node does not forward packets of participants, or not all of them. */
import { factKinds } from "#contract/agent/findings.ts";
import { findingRow, listWords } from "./finding-row.ts";
import { degraded, operatorNote, operatorOnly } from "./node-rows.ts";
import { plural } from "../../text/plural.ts";

const { word, words, number, nullable, output } = factKinds;

/** Participants read that packets are not forwarded, and nothing about the inside of the node. */
export const notForwarding = { ...operatorOnly, publicCode: "node-not-forwarding" } as const;

const familyNames: Readonly<Record<string, string>> = { arp: "IPv4 (ARP)", ndisc: "IPv6 (NDP)" };

export const forwardingFindings = {
  "node-not-forwarding": findingRow(
    {},
    {
      ...degraded,
      sentence: "The node does not forward packets",
      explanation: "The node does not forward packets at the moment.",
    },
  ),
  "forwarding-off": findingRow(
    { settings: words, count: number },
    {
      ...notForwarding,
      explanation: ({ settings, count }) =>
        `The kernel does not forward packets: ${listWords(settings)}${count > settings.length ? ` and ${count - settings.length} more` : ""} ` +
        `${plural(count, "is", "are")} 0.`,
      providerFix: "Set them to 1, also in /etc/sysctl.d.",
    },
  ),
  "path-filter": findingRow(
    { interfaces: words, count: number },
    {
      ...operatorOnly,
      explanation: ({ interfaces, count }) =>
        `The strict reverse path filter of ${listWords(interfaces)}${count > interfaces.length ? ` and ${count - interfaces.length} more` : ""} ` +
        "drops packets whose replies use another interface.",
      providerFix: "Set rp_filter of these interfaces, and of all, to 0 or 2 in /etc/sysctl.d.",
    },
  ),
  /** What `ip route get` says of a packet that would be forwarded. */
  "route-missing": findingRow(
    { address: word, interface: word, found: nullable(word) },
    {
      ...notForwarding,
      explanation: ({ address, interface: name, found }) =>
        found === null
          ? `The kernel has no route to ${address}, which is at the other end of ${name}.`
          : `The kernel sends packets for ${address} through ${found} instead of ${name}.`,
      providerFix: "Look for a rule or a route that comes first: ip rule; ip route get ADDRESS",
    },
  ),
  "forwarding-refused": findingRow(
    { from: word, to: word, output },
    {
      ...notForwarding,
      explanation: ({ from, to, output: printed }) =>
        `The kernel would not forward a packet from ${from} to ${to}: ${printed}`,
      providerFix: "ip route get ADDRESS from SOURCE iif INTERFACE says the same.",
    },
  ),
  /** Another program's chain drops packets that participants need, by a rule or by default. */
  "packets-dropped": findingRow(
    { hook: word, chain: word, interfaces: words },
    {
      ...notForwarding,
      explanation: ({ hook, chain, interfaces }) =>
        `The chain ${chain.replaceAll(":", " ")} (hook ${hook}) of your firewall drops packets of ${listWords(interfaces)}.`,
      providerFix:
        "Accept packets between the interfaces dn42_* and your own tunnels, before any rule that drops them.",
    },
  ),
  "conntrack-full": findingRow(
    { used: number, limit: number },
    {
      ...operatorOnly,
      explanation: ({ used, limit }) =>
        `The kernel tracks ${used} of at most ${limit} connections, and drops the packets of further ones.`,
      providerFix:
        "Do not track forwarded packets (notrack), or raise net.netfilter.nf_conntrack_max in /etc/sysctl.d.",
    },
  ),
  "neighbours-full": findingRow(
    { table: word, used: number, limit: number },
    {
      ...operatorOnly,
      explanation: ({ table, used, limit }) =>
        `The neighbour table for ${familyNames[table] ?? table} has ${used} of at most ${limit} entries.`,
      providerFix:
        "Raise net.ipv4.neigh.default.gc_thresh3 and net.ipv6.neigh.default.gc_thresh3 in /etc/sysctl.d.",
    },
  ),
  /** Not to be told apart: the node's side is likely where no participant replies. */
  "node-address-unanswered": findingRow(
    { sources: words, peerings: number },
    {
      ...operatorOnly,
      explanation: ({ sources, peerings }) =>
        `None of ${peerings} participants' routers replies to ${listWords(sources)}, although their tunnels reply.`,
      providerFix:
        "Check that this address is announced to them, and that no rule of the node drops packets from or to it.",
    },
  ),
  "link-down": findingRow(
    { node: word, interface: word },
    {
      ...operatorOnly,
      explanation: ({ node, interface: name }) => `Your own tunnel ${name} to ${node} is down.`,
      providerFix: "Check keys, endpoint and interface on both nodes: wg show",
    },
  ),
  "link-blocked": findingRow(
    { node: word, interface: word, source: word, address: word },
    {
      ...operatorOnly,
      explanation: ({ node, interface: name, source, address }) =>
        `Your own tunnel ${name} to ${node} works, but packets from ${source} to ${address} get no reply through it.`,
      providerFix:
        "Check AllowedIPs, forwarding and rp_filter of the tunnel on both nodes, and their firewalls.",
    },
  ),
  "probes-unavailable": findingRow(
    { output },
    {
      ...operatorNote,
      explanation: ({ output: printed }) => `Nothing is probed, so loss and latency are unknown: ${printed}`,
      providerFix: "Install fping: apt-get install fping.",
    },
  ),
};

/** What chains of other programs do with packets that must pass the node. */
import type { Peering } from "#contract/agent.ts";
import { networkRanges } from "#domain/address-ranges.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { type Address, contains, parseAddress, parsePrefix, type Prefix } from "#domain/prefix.ts";
import { acceptsParticipants } from "../firewall/accepting-rules.ts";
import { chainFacts } from "../firewall/dropping-chains.ts";
import { isCovered } from "../firewall/packet-match.ts";
import { isDrop, type PacketVerdict, verdictOf } from "../firewall/packet-verdict.ts";
import type { BaseChain } from "../firewall/ruleset.ts";
import { type ForwardingFault, maxNamed, ofNode } from "./forwarding-fault.ts";
import {
  allParticipants,
  type Sample,
  type SampleOptions,
  samplePackets,
  type Samples,
} from "./sample-packets.ts";

/** The hooks that a packet passes on its way. */
const waysOf: Readonly<Record<string, ReadonlyArray<keyof Samples>>> = {
  prerouting: ["forwarded", "incoming"],
  input: ["incoming"],
  forward: ["forwarded"],
  output: ["outgoing"],
  postrouting: ["forwarded", "outgoing"],
};

/**
 * Returns a fault for each chain that drops such packets. A default of a chain for incoming packets is judged from the state of
 * the sessions instead (`findBlockedPeerings`): BGP needs one accepted direction alone.
 */
export function findBlockedPackets(
  chains: readonly BaseChain[],
  options: Omit<SampleOptions, "isNamed">,
): readonly ForwardingFault[] {
  const samples = samplePackets({ ...options, isNamed: findNamed(chains) });
  const blocking: BaseChain[] = [];
  const faults: ForwardingFault[] = [];
  for (const chain of chains) {
    if (chain.type === "nat") continue;
    const ways = waysOf[chain.hook] ?? [];
    const found = ways.flatMap((way) =>
      samples[way].map((sample) => ({ sample, verdict: judge(chain, sample) })),
    );
    const dropped = found.filter(({ verdict }) => isDrop(verdict)).map(({ sample }) => sample);
    if (dropped.length === 0) continue;
    const isByDefault = found.some(
      ({ sample, verdict }) => sample.name === allParticipants && verdict === "dropped by default",
    );
    if (chain.hook === "forward" && isByDefault && !acceptsParticipants(chain.table, chain.name))
      blocking.push(chain);
    else faults.push(describeDropped(chain, dropped));
  }
  if (blocking.length === 0) return faults;
  const names = chainFacts(blocking.map(({ owner, name }) => ({ name: `${owner} ${name}` })));
  return [ofNode({ code: "forwarding-blocked", facts: { chains: names } }), ...faults];
}

function judge({ family, hook, policy, name, table }: BaseChain, { packet }: Sample): PacketVerdict {
  if (family !== "inet" && family !== packet.family) return "accepted";
  // Where the packet goes is not known before it is routed.
  const seen = hook === "prerouting" ? { ...packet, oif: null } : packet;
  const verdict = verdictOf(table, { name, policy }, seen);
  const hasDefault = hook !== "input" && hook !== "prerouting";
  return verdict === "dropped by default" && !hasDefault ? "unknown" : verdict;
}

/** A fault that concerns all participants names them alone. */
function describeDropped(chain: BaseChain, dropped: readonly Sample[]): ForwardingFault {
  const isOfAll = dropped.some(({ name }) => name === allParticipants);
  const ofNodeAlone = dropped.filter(({ asn }) => asn === null);
  const shown = isOfAll
    ? [allParticipants]
    : (ofNodeAlone.length > 0 ? ofNodeAlone : dropped).map(({ name }) => name);
  const facts = {
    hook: chain.hook,
    chain: `${chain.owner}:${chain.name}`.replaceAll(" ", ":"),
    interfaces: [...new Set(shown)].slice(0, maxNamed),
  };
  const asns = new Set(dropped.flatMap(({ asn }) => asn ?? []));
  return {
    finding: { code: "packets-dropped", facts },
    concerns: ofNodeAlone.length > 0 ? "all" : asns,
  };
}

const hostPrefix = ({ bits, value }: Address): Prefix => ({ bits, value, length: bits });

/** Returns whether a rule names the interface of a peering, or an address of it. */
function findNamed(chains: readonly BaseChain[]): (peering: Peering) => boolean {
  const text = JSON.stringify(Array.from(new Set(chains.map(({ table }) => table))));
  const patterns = new Set(Array.from(text.matchAll(/"(dn42_\d+\*?)"/g), ([, name = ""]) => name));
  const single = Array.from(text.matchAll(/"((?:::|[\da-f])[\da-f:.]*)"/g), ([, address = ""]) =>
    parseAddress(address),
  );
  const prefixes = Array.from(text.matchAll(/"addr":"([^"]+)","len":(\d+)/g), ([, address, length]) =>
    parsePrefix(`${address}/${length}`),
  );
  const ranges = [
    ...single.flatMap((address) => (address ? hostPrefix(address) : [])),
    ...prefixes.flatMap((prefix) => prefix ?? []),
  ].filter(
    (range) => !networkRanges.some((network) => contains(range, network) && range.length <= network.length),
  );
  return ({ asn, peerIpv4, peerIpv6 }) =>
    Array.from(patterns).some((pattern) => isCovered(interfaceName(asn), pattern)) ||
    [peerIpv4, peerIpv6].some((own) => {
      const address = own === null ? null : parseAddress(own);
      return address !== null && ranges.some((range) => contains(range, address));
    });
}

/** Packets that must pass a node, as samples for the chains of other programs. */
import type { Peering } from "#contract/agent.ts";
import { isLinkLocal } from "#domain/address-ranges.ts";
import { interfaceName } from "#domain/peering/bgp-sessions.ts";
import { type Address, parseAddress } from "#domain/prefix.ts";
import type { SamplePacket } from "../firewall/packet-match.ts";
import type { RoutedSet } from "../wireguard/tunnel-state.ts";

/** An end of a way through the node. */
interface End {
  readonly interfaceName: string | null;
  readonly addresses: Readonly<Record<SamplePacket["family"], Address>>;
}

export interface Sample {
  readonly packet: SamplePacket;
  /** The AS number of the only peering that it is a sample of; null for all. */
  readonly asn: string | null;
  /** What a finding calls it. */
  readonly name: string;
}

/** The samples by the way that they take. */
export type Samples = Readonly<Record<"forwarded" | "incoming" | "outgoing", readonly Sample[]>>;

export interface SampleOptions {
  readonly running: RoutedSet;
  /** Peerings whose interface or address a rule names. All others share one sample. */
  readonly isNamed: (peering: Peering) => boolean;
  /** The provider's own tunnels. */
  readonly ownTunnels: readonly string[];
  /** The node's addresses on the loopback interface, without lengths. */
  readonly nodeAddresses: readonly string[];
}

const families = ["ip", "ip6"] as const;
/** How all participants' interfaces are called in rules. */
export const allParticipants = "dn42_*";
/** Two participants that no rule names, with addresses that the network routes. */
const strangers: readonly [End, End] = [
  endOf("dn42_0000000001", ["172.20.255.249", "fd00:ffff:ffff::1"]),
  endOf("dn42_0000000002", ["172.20.255.253", "fd00:ffff:fffe::1"]),
];
/** A rule that names more of them is rare, and each costs a walk through all rules. */
const maxPeerings = 50;

export function samplePackets(options: SampleOptions): Samples {
  const { running, isNamed, ownTunnels, nodeAddresses } = options;
  const [stranger, other] = strangers;
  const node = endOf(null, nodeAddresses, other);
  const named = Array.from(running.values())
    .map(({ peering }) => peering)
    .filter(isNamed)
    .slice(0, maxPeerings);
  const own = ownTunnels.map((name) => endOf(name, [], other));
  const ofAll = { asn: null, name: allParticipants };
  const forwarded: Sample[] = [
    ...between(stranger, other, "new", ofAll),
    ...own.flatMap((end) => {
      const about = { asn: null, name: end.interfaceName ?? "" };
      return between(stranger, end, "new", about).concat(between(end, stranger, "new", about));
    }),
  ];
  const incoming: Sample[] = [...between(stranger, node, "established", ofAll)];
  const outgoing: Sample[] = [...between(node, stranger, "established", ofAll)];
  for (const peering of named) {
    const about = { asn: peering.asn, name: interfaceName(peering.asn) };
    const far = endOf(about.name, [peering.peerIpv4, peering.peerIpv6], stranger);
    const near = endOf(null, [peering.localIpv4, peering.localIpv6], node);
    forwarded.push(...between(far, other, "new", about), ...between(other, far, "new", about));
    incoming.push(...between(far, near, "established", about));
    outgoing.push(...between(near, far, "established", about));
  }
  return { forwarded, incoming, outgoing };
}

/** One packet per address family. A packet that is not forwarded belongs to a BGP session. */
function between(
  from: End,
  to: End,
  state: SamplePacket["state"],
  { asn, name }: Pick<Sample, "asn" | "name">,
): readonly Sample[] {
  return families.map((family) => ({
    asn,
    name,
    packet: {
      family,
      iif: from.interfaceName,
      oif: to.interfaceName,
      saddr: from.addresses[family],
      daddr: to.addresses[family],
      state,
      isBgp: state === "established",
    },
  }));
}

/** @param rest has the addresses that are missing: those that the network does not route are never forwarded */
function endOf(name: string | null, texts: readonly (string | null)[], rest?: End): End {
  const routed = texts.filter((text) => text !== null && !isLinkLocal(text));
  const parsed = routed.flatMap((text) => parseAddress(text ?? "") ?? []);
  const of = (bits: number, family: SamplePacket["family"]) => {
    const found = parsed.find((address) => address.bits === bits) ?? rest?.addresses[family];
    if (!found) throw new Error(`no ${family} address`);
    return found;
  };
  return { interfaceName: name, addresses: { ip: of(32, "ip"), ip6: of(128, "ip6") } };
}

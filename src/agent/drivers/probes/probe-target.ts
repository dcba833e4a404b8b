/** What is probed, and from where. */
import { isLinkLocal } from "#domain/address-ranges.ts";
import { type Family, familyOf, interfaceName } from "#domain/peering/bgp-sessions.ts";
import { parseAddress } from "#domain/prefix.ts";
import type { OtherNode } from "#contract/call-tables/other-node-calls.ts";
import type { Peering } from "#contract/agent.ts";
import { memoizeByObject } from "../memoize-by-object.ts";
import type { OwnTunnel } from "../../config/agent-config.ts";

/**
 * `tunnel`: the other end of a tunnel, from the node's address in it. `way`: the same, from the node's address in the network.
 * `network`: an address behind a participant. `node`: another node behind a tunnel of the provider.
 */
export type ProbeKind = "tunnel" | "way" | "network" | "node";

export interface ProbeTarget {
  readonly kind: ProbeKind;
  readonly interfaceName: string;
  readonly family: Family;
  /** The node's address that asks; null: the one of the tunnel, which the kernel chooses. */
  readonly source: string | null;
  readonly address: string;
}

/** Two targets are the same if all of their values are. */
export const keyOf = memoizeByObject(({ kind, interfaceName: name, source, address }: ProbeTarget) =>
  [kind, name, source, address].join(" "),
);

/** As fping reads it: a link-local address names the interface as its zone. */
export const addressText = memoizeByObject(({ interfaceName: name, address }: ProbeTarget) =>
  isLinkLocal(address) ? `${address}%${name}` : address,
);

/**
 * The targets of a participant's tunnel that is up. A router drops replies from a link-local address that it would have to
 * forward, so that the way from another address proves nothing where replies may enter through another node.
 */
export function targetsOfPeering(
  peering: Peering,
  sources: readonly string[],
  isOnOtherNodes: boolean,
): readonly ProbeTarget[] {
  const name = interfaceName(peering.asn);
  const ends = [
    { family: "IPv4", local: peering.localIpv4, address: peering.peerIpv4 },
    { family: "IPv6", local: peering.localIpv6, address: peering.peerIpv6 },
  ] as const;
  const tunnels = ends.flatMap(({ family, address }): readonly ProbeTarget[] =>
    address === null ? [] : [{ kind: "tunnel", interfaceName: name, family, source: null, address }],
  );
  const ways = ends.flatMap(({ family, local, address }): readonly ProbeTarget[] => {
    const source = sources.find((one) => familyOf(one) === family && one !== local);
    if (address === null || source === undefined || (isOnOtherNodes && isLinkLocal(address))) return [];
    return [{ kind: "way", interfaceName: name, family, source, address }];
  });
  return [...tunnels, ...ways, ...networkTargetOf(peering, sources)];
}

/** The address in the participant's network, which the participant has entered; empty without one. */
export function networkTargetOf(
  { asn, probeAddress }: Peering,
  sources: readonly string[],
): readonly ProbeTarget[] {
  const address = probeAddress === undefined ? null : parseAddress(probeAddress);
  if (probeAddress === undefined || address === null) return [];
  const family = familyOf(probeAddress);
  const source = sources.find((one) => familyOf(one) === family);
  if (source === undefined) return [];
  return [{ kind: "network", interfaceName: interfaceName(asn), family, source, address: probeAddress }];
}

/** The other end of one of the provider's own tunnels, if its address is known. */
export function targetOfLink(tunnel: OwnTunnel): readonly ProbeTarget[] {
  const { address, interface: name } = tunnel;
  return address === null
    ? []
    : [{ kind: "tunnel", interfaceName: name, family: familyOf(address), source: null, address }];
}

/** A node has more addresses than a network needs. */
const maxCandidates = 8;

/** The addresses of the other node of a link that could be probed: one of them is enough. */
export function candidatesOfLink(
  tunnel: OwnTunnel,
  other: OtherNode | undefined,
  sources: readonly string[],
): readonly ProbeTarget[] {
  return (["IPv4", "IPv6"] as const).flatMap((family) => {
    const source = sources.find((one) => familyOf(one) === family);
    if (source === undefined) return [];
    return (other?.addresses ?? [])
      .filter(
        (address) => familyOf(address) === family && !isLinkLocal(address) && !sources.includes(address),
      )
      .slice(0, maxCandidates)
      .map(
        (address) => ({ kind: "node", interfaceName: tunnel.interface, family, source, address }) as const,
      );
  });
}

import type { Peering } from "#contract/agent.ts";
import { shareLinkLocalSubnet } from "#domain/address-ranges.ts";
import { defaultMtu } from "#domain/peering/option-rules.ts";
import type { LinkChange } from "./interface-commands.ts";

/**
 * Returns the tunnel addresses in the syntax of `ip address add` and `del`, canonical, one string per
 * address.
 */
export function tunnelAddresses({ localIpv4, peerIpv4, localIpv6, peerIpv6 }: Peering): readonly string[] {
  return [...addressOf(localIpv4, peerIpv4, 32), ...addressOf(localIpv6, peerIpv6, 128)];
}

export function tunnelMtu({ mtu = defaultMtu }: Peering): number {
  return mtu;
}

/**
 * Two link-local addresses of one /64 share it. Any other pair is a point-to-point link: a shorter prefix would route a whole
 * network into one tunnel. With the peer's address the kernel adds its host route, whenever it adds the address, and BIRD
 * accepts the neighbour as connected; a route of its own would be lost with the link, and mean nothing to BIRD.
 */
function addressOf(local: string | null, peer: string | null, bits: number): readonly string[] {
  if (local === null || peer === null) return [];
  return shareLinkLocalSubnet(local, peer) ? [`${local}/64`] : [`${local} peer ${peer}/${bits}`];
}

export interface Link {
  readonly up: boolean;
  readonly mtu: number;
  /** In the same form as `tunnelAddresses` returns. */
  readonly addresses: readonly string[];
}

type LinkValues = Pick<Link, "mtu" | "addresses">;

export function linkChange(from: LinkValues | undefined, to: LinkValues): LinkChange {
  const previous = from?.addresses ?? [];
  return {
    mtu: from?.mtu === to.mtu ? null : to.mtu,
    remove: previous.filter((address) => !to.addresses.includes(address)),
    add: to.addresses.filter((address) => !previous.includes(address)),
  };
}

/** Parses all interfaces by name, from `ip -json address show`. */
export function parseLinks(json: string): ReadonlyMap<string, Link> {
  const links = JSON.parse(json.trim() === "" ? "[]" : json) as ReadonlyArray<{
    readonly ifname?: string;
    readonly flags?: readonly string[];
    readonly mtu?: number;
    readonly addr_info?: ReadonlyArray<{
      readonly local?: string;
      readonly address?: string;
      readonly prefixlen?: number;
    }>;
  }>;
  return new Map(
    links.map(({ ifname = "", flags = [], mtu = 0, addr_info = [] }) => {
      const addresses = addr_info.map(({ local, address, prefixlen }) =>
        address === undefined ? `${local}/${prefixlen}` : `${local} peer ${address}/${prefixlen}`,
      );
      return [ifname, { up: flags.includes("UP"), mtu, addresses }];
    }),
  );
}

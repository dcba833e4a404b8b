/**
 * The line of a participant's configuration that sets AllowedIPs, for each router system. Where only the node's tunnel address is
 * allowed, the session works and no other packet passes.
 */
import { tunnelNetworks } from "#domain/address-ranges.ts";
import { participantInterface } from "#domain/peering/participant-names.ts";

export interface AllowedIpsLine {
  readonly system: string;
  /** The file or the place that has it. */
  readonly place: string;
  readonly text: string;
}

export interface AllowedIpsPeer {
  readonly node: string;
  /** The provider's AS number. */
  readonly providerAsn: string;
  /** The node's public key; empty while it is not known. */
  readonly nodeKey: string;
}

const list = (separator: string) => tunnelNetworks.join(separator);
const each = (format: (network: string) => string) => tunnelNetworks.map(format).join("\n");

/** The lines, the most common systems first. */
export function allowedIpsLines({ node, providerAsn, nodeKey }: AllowedIpsPeer): readonly AllowedIpsLine[] {
  const name = participantInterface(providerAsn, node);
  const key = nodeKey || "<the node's public key>";
  return [
    {
      system: "wg-quick, ifupdown",
      place: `/etc/wireguard/${name}.conf, [Peer]`,
      text: `AllowedIPs = ${list(", ")}`,
    },
    {
      system: "wg",
      place: "takes effect at once",
      text: `wg set ${name} peer ${key} allowed-ips ${list(",")}`,
    },
    {
      system: "systemd-networkd",
      place: `/etc/systemd/network/50-${name}.netdev, [WireGuardPeer]`,
      text: `AllowedIPs=${list(",")}`,
    },
    {
      system: "NetworkManager",
      place: `${name}.nmconnection, [wireguard-peer.…]`,
      text: `allowed-ips=${list(";")};`,
    },
    {
      system: "OpenWrt",
      place: "/etc/config/network, config wireguard_…",
      text: `option route_allowed_ips '0'\n${each((network) => `list allowed_ips '${network}'`)}`,
    },
    {
      system: "RouterOS 7",
      place: "terminal",
      text: `/interface wireguard peers set [find public-key="${key}"] allowed-address=${list(",")}`,
    },
    {
      system: "VyOS",
      place: "configuration mode, with the names of your interface and peer",
      text: each((network) => `set interfaces wireguard wg0 peer ${node} allowed-ips '${network}'`),
    },
    {
      system: "OpenBSD",
      place: "/etc/hostname.wg0, after wgpeer",
      text: tunnelNetworks.map((network) => `wgaip ${network}`).join(" "),
    },
    {
      system: "NixOS",
      place: `networking.wireguard.interfaces.${name}.peers`,
      text: `allowedIPs = [ ${tunnelNetworks.map((network) => `"${network}"`).join(" ")} ];`,
    },
  ];
}

/**
 * The line of a participant's configuration that sets AllowedIPs, for each router system. Where only the node's tunnel address is
 * allowed, the session works and no other packet passes.
 */
import { tunnelNetworks } from "../../address-ranges.ts";
import type { PeeringSides } from "../participant-config.ts";
import { participantInterface } from "../participant-names.ts";
import type { FixLine } from "./fix-line.ts";

const list = (separator: string) => tunnelNetworks.join(separator);
const each = (format: (network: string) => string) => tunnelNetworks.map(format).join("\n");

/** The lines, the most common systems first. */
export function allowedIpsLines({ node, peer, provider }: PeeringSides): readonly FixLine[] {
  const name = participantInterface(peer.local_asn, node);
  const key = provider.public_key || "<the node's public key>";
  return [
    {
      system: "wg-quick",
      place: `/etc/wireguard/${name}.conf, [Peer]; the same with ifupdown`,
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

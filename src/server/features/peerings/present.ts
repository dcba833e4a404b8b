import type { NodeConfig, PeerConfig, YesNo } from "../../../contract/entities.ts";
import { sessionsOf } from "../../../domain/bgp-sessions.ts";
import type { NodeIdentity } from "../../../domain/peering-rules.ts";
import type { NodeProfile, Profile } from "../../config/profile.ts";
import type { DesiredPeering } from "./desired.ts";

/** A peering as its owner reads it back. */
export function presentPeerConfig(
  { asn, generation, request, peering }: DesiredPeering,
  profile: Profile,
): PeerConfig {
  const sessions = sessionsOf(peering);
  const carries = (family: "IPv4" | "IPv6") =>
    yesNo(sessions.some(({ channels }) => channels.includes(family)));
  return {
    local_port: String(peering.listenPort),
    local_asn: profile.asn,
    remote: `${peering.endpointHost}:${peering.endpointPort}`,
    peer_ipv4: peering.peerIpv4 ?? "",
    peer_ipv6: peering.peerIpv6 ?? "",
    peer_publickey: peering.publicKey,
    peer_asn: asn,
    bgp_ipv4: carries("IPv4"),
    bgp_ipv6: carries("IPv6"),
    bgp_mpbgp: yesNo(sessions.some(({ channels }) => channels.length > 1)),
    bgp_extnh: yesNo(peering.extendedNextHop),
    address_family: peering.addressFamily,
    local_ipv6: request.customLocalIpv6 ?? "",
    generation,
  };
}

/** The provider's side of a peering. */
export function presentNodeConfig(
  { peering }: DesiredPeering,
  node: NodeProfile,
  identity: NodeIdentity,
): NodeConfig {
  return {
    public_ip: node.publicIp,
    local_ipv4: peering.localIpv4 ?? "",
    local_ipv6: peering.localIpv6 ?? "",
    public_key: identity.publicKey ?? "",
  };
}

function yesNo(value: boolean): YesNo {
  return value ? "Yes" : "No";
}

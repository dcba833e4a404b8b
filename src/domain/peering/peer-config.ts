import type { PublicPeering } from "../../contract/agent.ts";
import type { PeerConfig, YesNo } from "../../contract/entities.ts";
import { type OptionValues, presentOptions } from "./fields/option-values.ts";
import { type Family, sessionsOf } from "./bgp-sessions.ts";

export interface ReadablePeering {
  readonly peering: PublicPeering;
  readonly options: OptionValues;
  /** The node's tunnel IPv6 that the participant chose; null if the provider chose it. */
  readonly customLocalIpv6: string | null;
  readonly generation: number;
}

/** A peering as its participant reads it back. */
export function toPeerConfig(
  { peering, options, customLocalIpv6, generation }: ReadablePeering,
  providerAsn: string,
): PeerConfig {
  const sessions = sessionsOf(peering);
  const carries = (family: Family) => yesNo(sessions.some(({ channels }) => channels.includes(family)));
  return {
    local_port: String(peering.listenPort),
    local_asn: providerAsn,
    remote: peering.endpointHost === null ? "" : `${peering.endpointHost}:${peering.endpointPort}`,
    no_endpoint: peering.endpointHost === null ? "Yes" : "",
    peer_ipv4: peering.peerIpv4 ?? "",
    peer_ipv6: peering.peerIpv6 ?? "",
    peer_publickey: peering.publicKey,
    peer_asn: peering.asn,
    bgp_ipv4: carries("IPv4"),
    bgp_ipv6: carries("IPv6"),
    bgp_mpbgp: yesNo(sessions.some(({ channels }) => channels.length > 1)),
    bgp_extnh: yesNo(peering.extendedNextHop),
    address_family: peering.addressFamily,
    local_ipv6: customLocalIpv6 ?? "",
    generation,
    ...presentOptions(options),
  };
}

function yesNo(value: boolean): YesNo {
  return value ? "Yes" : "No";
}

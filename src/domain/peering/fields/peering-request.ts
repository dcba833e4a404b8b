import type { Peering, PublicPeering } from "#contract/agent.ts";
import { type OptionValues, readAgentOptions } from "./option-values.ts";

/** A submitted peering with every value parsed and canonical; null where the family has none or none was given. */
export interface PeeringRequest extends OptionValues {
  readonly asn: string;
  readonly addressFamily: Peering["addressFamily"];
  readonly extendedNextHop: boolean;
  /** Null if the participant's router connects to the node. */
  readonly endpointHost: string | null;
  readonly endpointPort: number | null;
  readonly publicKey: string;
  readonly peerIpv4: string | null;
  readonly peerIpv6: string | null;
  /** The node's tunnel IPv6, if the participant chose it. */
  readonly customLocalIpv6: string | null;
}

/** The request for a peering as a node runs it. An address that the provider chose counts as submitted. */
export function toPeeringRequest(
  peering: PublicPeering,
  customLocalIpv6: string | null,
  presharedKey: OptionValues["presharedKey"],
): PeeringRequest {
  const { listenPort: _port, localIpv4: _ipv4, localIpv6: _ipv6, ...submitted } = peering;
  return { ...submitted, customLocalIpv6, ...readAgentOptions(peering, presharedKey) };
}

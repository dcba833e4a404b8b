/**
 * The agent's own look at what the server sends. The server has checked it already; the agent renders it
 * into configuration, so it takes nobody's word for it.
 */
import type { Peering } from "../../contract/agent.ts";
import type { PeerUpdate } from "../../contract/entities.ts";
import { networkIpv4 } from "../../domain/address-ranges.ts";
import { isAsn } from "../../domain/asn.ts";
import { checkPeerUpdate, type PeeringRequest } from "../../domain/peering-rules.ts";
import { parsePort } from "../../domain/port.ts";
import { contains, parseAddress } from "../../domain/prefix.ts";
import type { EndpointRules } from "../resolve/resolve-endpoint.ts";
import type { Wanted } from "./change.ts";

export interface PeeringRules extends EndpointRules {
  /** Which no participant can have. */
  readonly providerAsn: string;
}

/** What is wrong with a wanted peering, a sentence that starts with the field; null when nothing is. */
export function desiredFault(wanted: Wanted, rules: PeeringRules, nodeKey: string): string | null {
  if (!isAsn(wanted.asn)) return "asn: Not an AS number.";
  if (wanted.asn === rules.providerAsn) return "asn: This is the provider's own AS number.";
  if (!Number.isSafeInteger(wanted.generation) || wanted.generation < 0) {
    return "generation: Not a whole number.";
  }
  return wanted.desired === null ? null : peeringFault(wanted.asn, wanted.desired, rules, nodeKey);
}

function peeringFault(asn: string, peering: Peering, rules: PeeringRules, nodeKey: string): string | null {
  if (peering.asn !== asn) return `asn: The peering is of AS${peering.asn}, the change of AS${asn}.`;
  if (parsePort(String(peering.listenPort)) === null) return "local_port: Not a port from 1 to 65535.";
  if (peering.extendedNextHop && peering.addressFamily !== "Both") {
    return "bgp_extnh: Extended next hop goes with both address families only.";
  }
  const localFault = localIpv4Fault(peering) ?? ipv6Fault(peering);
  if (localFault) return localFault;
  const checked = checkPeerUpdate(updateOf(peering), {
    ...rules,
    asn,
    node: {
      endpoints: [],
      tunnelIpv4: peering.localIpv4,
      linkLocal: peering.localIpv6 ?? "",
      publicKey: nodeKey,
    },
  });
  if (!checked.ok) return `${checked.refusal.field}: ${checked.refusal.message}`;
  return canonicalFault(peering, checked.request);
}

function localIpv4Fault({ peerIpv4, localIpv4 }: Peering): string | null {
  if (peerIpv4 === null) {
    return localIpv4 === null ? null : "local_ipv4: The tunnel carries no IPv4 for the participant.";
  }
  const address = localIpv4 === null ? null : parseAddress(localIpv4);
  if (!address || address.bits !== 32) return "local_ipv4: Not a dotted IPv4 address.";
  return networkIpv4.some((range) => contains(range, address))
    ? null
    : `local_ipv4: ${localIpv4} is outside the network's ranges.`;
}

function ipv6Fault({ addressFamily, peerIpv6, localIpv6 }: Peering): string | null {
  if (addressFamily === "IPv4") return null;
  if (peerIpv6 === null) return "peer_ipv6: The address family needs one.";
  return localIpv6 === null ? "local_ipv6: The address family needs one." : null;
}

function updateOf(peering: Peering): PeerUpdate {
  return {
    node: "",
    address_family: peering.addressFamily,
    bgp_extnh: peering.extendedNextHop ? "Yes" : "No",
    remote_ip: peering.endpointHost,
    remote_port: String(peering.endpointPort),
    peer_ipv4: peering.peerIpv4 ?? "",
    peer_ipv6: peering.peerIpv6 ?? "",
    local_ipv6: peering.localIpv6 ?? "",
    public_key: peering.publicKey,
  };
}

const canonical = [
  ["remote_ip", "endpointHost", "endpointHost"],
  ["peer_ipv4", "peerIpv4", "peerIpv4"],
  ["peer_ipv6", "peerIpv6", "peerIpv6"],
  ["local_ipv6", "localIpv6", "customLocalIpv6"],
] as const satisfies ReadonlyArray<readonly [string, keyof Peering, keyof PeeringRequest]>;

/** A value that is not the one the rules make of it: written differently, or of a family the peering has not. */
function canonicalFault(peering: Peering, request: PeeringRequest): string | null {
  for (const [field, given, expected] of canonical) {
    if (peering[given] === request[expected]) continue;
    return request[expected] === null
      ? `${field}: ${peering[given]} does not belong to the chosen address family.`
      : `${field}: ${peering[given]} is not written as ${request[expected]}.`;
  }
  return null;
}

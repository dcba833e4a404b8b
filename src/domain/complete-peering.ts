/** What the provider adds to a participant's request to make a whole peering of it. */
import type { Peering } from "../contract/agent.ts";
import type { PeerUpdateField } from "../contract/entities.ts";
import { allocatePort, defaultLinkLocal } from "./allocation.ts";
import { fieldShown } from "./peer-form.ts";
import type { NodeIdentity, PeeringRequest, Refusal } from "./peering-rules.ts";

/** What other participants hold already. */
export interface TakenOnNode {
  readonly ports: ReadonlySet<number>;
  /** Tunnel addresses of participants, canonical. */
  readonly peerAddresses: ReadonlySet<string>;
  /** On whatever node. */
  readonly publicKeys: ReadonlySet<string>;
}

/**
 * Completes a request with what the provider chooses: listen port, link-local addresses, the node's own
 * tunnel addresses. `previousPort` keeps the port of a peering that is edited.
 */
export function completePeering(
  request: PeeringRequest,
  node: NodeIdentity,
  taken: TakenOnNode,
  previousPort: number | null,
): { readonly ok: true; readonly peering: Peering } | { readonly ok: false; readonly refusal: Refusal } {
  const clash = clashWith(request, taken);
  if (clash) return { ok: false, refusal: clash };
  const listenPort = previousPort ?? allocatePort(request.asn, taken.ports);
  if (listenPort === null) return refuse("node", "This node has no free port left. Choose another node.");
  if (fieldShown.peer_ipv4(choicesOf(request)) && node.tunnelIpv4 === null) {
    return refuse(
      "address_family",
      "This node has no IPv4 tunnel address. Choose IPv6, or Both with Extended Nexthop.",
    );
  }
  const withIpv6 = request.addressFamily !== "IPv4";
  const localIpv6 = request.customLocalIpv6 ?? node.linkLocal;
  return {
    ok: true,
    peering: {
      asn: request.asn,
      addressFamily: request.addressFamily,
      extendedNextHop: request.extendedNextHop,
      endpointHost: request.endpointHost,
      endpointPort: request.endpointPort,
      publicKey: request.publicKey,
      listenPort,
      peerIpv4: request.peerIpv4,
      peerIpv6: withIpv6
        ? (request.peerIpv6 ?? defaultLinkLocal(request.asn, new Set([...taken.peerAddresses, localIpv6])))
        : null,
      localIpv4: request.peerIpv4 === null ? null : node.tunnelIpv4,
      localIpv6: withIpv6 ? localIpv6 : null,
    },
  };
}

function clashWith(request: PeeringRequest, taken: TakenOnNode): Refusal | null {
  if (taken.publicKeys.has(request.publicKey)) {
    const message = "This key is used by another AS. Every participant needs a key of their own.";
    return { field: "public_key", message };
  }
  for (const [field, address] of [
    ["peer_ipv4", request.peerIpv4],
    ["peer_ipv6", request.peerIpv6],
  ] as const) {
    if (address !== null && taken.peerAddresses.has(address)) {
      const message = `${address} is used by another AS on this node. Choose another address.`;
      return { field, message };
    }
  }
  return null;
}

function choicesOf(request: PeeringRequest) {
  return {
    address_family: request.addressFamily,
    bgp_extnh: request.extendedNextHop ? "Yes" : "No",
    custom_local_ipv6: request.customLocalIpv6 === null ? "No" : "Yes",
  } as const;
}

function refuse(field: PeerUpdateField, message: string) {
  return { ok: false, refusal: { field, message } } as const;
}

import type { Peering } from "../../contract/agent.ts";
import type { PeerUpdateField } from "../../contract/entities.ts";
import { allocatePort, allocateLinkLocal } from "./allocation.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "./bgp-sessions.ts";
import type { PeeringRequest } from "./check-peer-update.ts";
import type { NodeIdentity, ValidationError } from "./peering-rules.ts";

/** What other participants use already. */
export interface TakenValues {
  readonly ports: ReadonlySet<number>;
  /** Tunnel addresses of participants, canonical. */
  readonly peerAddresses: ReadonlySet<string>;
  /** On any node. */
  readonly publicKeys: ReadonlySet<string>;
}

/**
 * Completes a request with what the provider chooses: the listen port, link-local addresses, and the node's own tunnel
 * addresses. `previousPort` keeps the port of an edited peering.
 */
export function completePeering(
  request: PeeringRequest,
  node: NodeIdentity,
  taken: TakenValues,
  previousPort: number | null,
):
  | { readonly ok: true; readonly peering: Peering }
  | { readonly ok: false; readonly error: ValidationError } {
  const conflict = findConflict(request, taken);
  if (conflict) return { ok: false, error: conflict };
  const listenPort = previousPort ?? allocatePort(request.asn, taken.ports);
  if (listenPort === null) return refuse("node", "This node has no free port left. Choose another node.");
  if (tunnelHasIpv4(request) && node.tunnelIpv4 === null) {
    return refuse(
      "address_family",
      "This node has no IPv4 tunnel address. Choose IPv6, or Both with Extended Nexthop.",
    );
  }
  const hasIpv6 = tunnelHasIpv6(request);
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
      peerIpv6: hasIpv6
        ? (request.peerIpv6 ?? allocateLinkLocal(request.asn, new Set([...taken.peerAddresses, localIpv6])))
        : null,
      localIpv4: request.peerIpv4 === null ? null : node.tunnelIpv4,
      localIpv6: hasIpv6 ? localIpv6 : null,
    },
  };
}

function findConflict(request: PeeringRequest, taken: TakenValues): ValidationError | null {
  if (taken.publicKeys.has(request.publicKey)) {
    const message = "This key is used by another AS. Every participant needs their own key.";
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

function refuse(field: PeerUpdateField, message: string) {
  return { ok: false, error: { field, message } } as const;
}

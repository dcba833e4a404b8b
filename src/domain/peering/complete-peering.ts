import type { PublicPeering } from "../../contract/agent.ts";
import { allocatePort, allocateLinkLocal } from "./allocation.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "./bgp-sessions.ts";
import type { ValidValues } from "./check-peer-update.ts";
import { toAgentOptions } from "./fields/option-values.ts";
import type { PeeringRequest } from "./fields/peering-request.ts";
import type { CheckedFieldError } from "./invalid-field.ts";
import type { NodeIdentity } from "./peering-rules.ts";

/** What other participants use already. */
export interface TakenValues {
  readonly ports: ReadonlySet<number>;
  /** Tunnel addresses of participants, canonical, without link-local ones. */
  readonly peerAddresses: ReadonlySet<string>;
  /** On any node. */
  readonly publicKeys: ReadonlySet<string>;
}

/**
 * Completes a request with what the provider chooses: the listen port, link-local addresses, and the node's own tunnel
 * addresses. An edited peering keeps its port (`previousPort`) unless something else on the node uses it.
 */
export function completePeering(
  request: PeeringRequest,
  node: NodeIdentity,
  taken: TakenValues,
  previousPort: number | null,
):
  | { readonly ok: true; readonly peering: PublicPeering }
  | { readonly ok: false; readonly errors: readonly CheckedFieldError[] } {
  const errors = findUnusableValues(request, node, taken);
  const isPreviousFree = previousPort !== null && !taken.ports.has(previousPort);
  const listenPort = isPreviousFree ? previousPort : allocatePort(request.asn, taken.ports);
  if (listenPort === null) {
    const message = "This node has no free port left. Choose another node.";
    return { ok: false, errors: [{ field: "node", message }, ...errors] };
  }
  if (errors.length > 0) return { ok: false, errors };
  const hasIpv6 = tunnelHasIpv6(request);
  const { customLocalIpv6, presharedKey: _source, ...submitted } = request;
  const localIpv6 = customLocalIpv6 ?? node.linkLocal;
  return {
    ok: true,
    peering: {
      ...submitted,
      listenPort,
      peerIpv6: hasIpv6
        ? (request.peerIpv6 ?? allocateLinkLocal(request.asn, new Set([node.linkLocal, localIpv6])))
        : null,
      localIpv4: request.peerIpv4 === null ? null : node.tunnelIpv4,
      localIpv6: hasIpv6 ? localIpv6 : null,
      ...toAgentOptions(request),
    },
  };
}

/**
 * Finds the values that cannot be used on the node: its tunnels have no such address, or another AS uses the value. The
 * messages do not name the AS.
 */
export function findUnusableValues(
  values: ValidValues,
  node: Pick<NodeIdentity, "tunnelIpv4">,
  taken: TakenValues,
): readonly CheckedFieldError[] {
  const errors: CheckedFieldError[] = [];
  if (tunnelHasIpv4(values) && node.tunnelIpv4 === null) {
    const message = "This node has no IPv4 tunnel address. Choose IPv6, or Both with Extended Nexthop.";
    errors.push({ field: "address_family", message });
  }
  if (values.publicKey !== null && taken.publicKeys.has(values.publicKey)) {
    const message =
      "This key is already used by another participant. Every participant needs their own key. If this one is yours, " +
      "contact support.";
    errors.push({ field: "public_key", message });
  }
  for (const [field, address] of [
    ["peer_ipv4", values.peerIpv4],
    ["peer_ipv6", values.peerIpv6],
  ] as const) {
    if (address !== null && taken.peerAddresses.has(address)) {
      const message =
        `${address} is already used on this node. Choose another address. If this one is registered to you, contact ` +
        "support.";
      errors.push({ field, message });
    }
  }
  const { probeAddress = null } = values;
  if (probeAddress !== null && taken.peerAddresses.has(probeAddress)) {
    const message = `${probeAddress} is another participant's tunnel address. Enter an address in your own network.`;
    errors.push({ field: "probe_address", message });
  }
  return errors;
}

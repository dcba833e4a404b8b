import type { Peering } from "../../contract/agent.ts";
import { isPort } from "../port.ts";
import { tunnelHasIpv4, tunnelHasIpv6 } from "./bgp-sessions.ts";
import { readCheckedOptions } from "./fields/option-values.ts";
import { type CheckedField, type CheckedFieldError, InvalidFieldError } from "./invalid-field.ts";
import { checkNetworkIpv4, checkValues, type ProviderContext } from "./peering-rules.ts";

export interface PeeringCheckContext extends ProviderContext {
  /** All of the node's WireGuard public keys: WireGuard drops a peer with the key of its own interface. */
  readonly nodeKeys: readonly string[];
}

/**
 * Checks a whole peering as an agent renders it: the rules for a participant's values, both sides of the tunnel, and
 * that each value is canonical and of a family that the tunnel carries. Returns the first error, or null.
 */
export function checkPeering(peering: Peering, context: PeeringCheckContext): CheckedFieldError | null {
  try {
    assertPeering(peering, context);
    return null;
  } catch (error) {
    if (error instanceof InvalidFieldError) return error.error;
    throw error;
  }
}

function assertPeering(peering: Peering, { nodeKeys, ...context }: PeeringCheckContext): void {
  if (!isPort(peering.listenPort)) throw new InvalidFieldError("local_port", "Not a port from 1 to 65535.");
  if (peering.extendedNextHop && peering.addressFamily !== "Both")
    throw new InvalidFieldError("bgp_extnh", "Extended next hop needs both address families.");
  assertLocalIpv4(peering);
  assertFamilies(peering);
  const [publicKey = null, ...addedKeys] = nodeKeys;
  const node = {
    tunnelIpv4: peering.localIpv4,
    linkLocal: peering.localIpv6 ?? "",
    publicKey,
    addedKeys,
  };
  const { values: canonical, errors } = checkValues(
    { ...peering, ...readCheckedOptions(peering) },
    { ...context, node },
  );
  const [first] = errors;
  if (first) throw new InvalidFieldError(first.field, first.message);
  for (const [field, name] of texts) {
    if ((peering[name] ?? null) === canonical[name]) continue;
    throw new InvalidFieldError(field, `${peering[name]} is not written as ${canonical[name]}.`);
  }
}

const texts = [
  ["remote_ip", "endpointHost"],
  ["public_key", "publicKey"],
  ["peer_ipv4", "peerIpv4"],
  ["peer_ipv6", "peerIpv6"],
  ["local_ipv6", "localIpv6"],
  ["probe_address", "probeAddress"],
] as const;

/** The node's own IPv4 is in the tunnel exactly when the participant's is. */
function assertLocalIpv4({ peerIpv4, localIpv4 }: Peering): void {
  if (peerIpv4 !== null) checkNetworkIpv4("local_ipv4", localIpv4 ?? "");
  else if (localIpv4 !== null)
    throw new InvalidFieldError("local_ipv4", "The tunnel carries no IPv4 for the participant.");
}

function assertFamilies(peering: Peering): void {
  const ipv4 = tunnelHasIpv4(peering);
  const ipv6 = tunnelHasIpv6(peering);
  assertPresence("peer_ipv4", peering.peerIpv4, ipv4);
  assertPresence("peer_ipv6", peering.peerIpv6, ipv6);
  assertPresence("local_ipv6", peering.localIpv6, ipv6);
}

function assertPresence(field: CheckedField, address: string | null, isNeeded: boolean): void {
  if (isNeeded && address === null) throw new InvalidFieldError(field, "The address family needs one.");
  if (!isNeeded && address !== null)
    throw new InvalidFieldError(field, `${address} does not belong to the chosen address family.`);
}

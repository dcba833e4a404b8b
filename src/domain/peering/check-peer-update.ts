/** What the server accepts from a participant: the form's rules and those of the network. */
import type { Peering } from "../../contract/agent.ts";
import type { PeerUpdate, PeerUpdateField } from "../../contract/entities.ts";
import { linkLocal } from "../address-ranges.ts";
import { parsePort } from "../port.ts";
import { contains, parseAddress } from "../prefix.ts";
import { isFieldRequired, isFieldShown } from "./peer-form.ts";
import {
  canonicalizeValues,
  InvalidFieldError,
  type NodeIdentity,
  type ProviderContext,
  type ValidationError,
} from "./peering-rules.ts";

export interface PeeringContext extends ProviderContext {
  readonly asn: string;
  readonly node: NodeIdentity;
}

/** A submitted peering with every value parsed and canonical; null where the family has none or none was given. */
export interface PeeringRequest {
  readonly asn: string;
  readonly addressFamily: Peering["addressFamily"];
  readonly extendedNextHop: boolean;
  readonly endpointHost: string;
  readonly endpointPort: number;
  readonly publicKey: string;
  readonly peerIpv4: string | null;
  readonly peerIpv6: string | null;
  readonly customLocalIpv6: string | null;
}

/** A tunnel address that must be registered to the AS, since the network routes it. */
export interface RoutedAddress {
  readonly field: PeerUpdateField;
  readonly address: string;
}

export type CheckedUpdate =
  | { readonly ok: true; readonly request: PeeringRequest; readonly routed: readonly RoutedAddress[] }
  | { readonly ok: false; readonly error: ValidationError };

/** Parses and checks a submitted peering. The error names the first invalid field. */
export function checkPeerUpdate(update: PeerUpdate, context: PeeringContext): CheckedUpdate {
  try {
    const request = parseUpdate(update, context);
    return { ok: true, request, routed: findRoutedAddresses(request) };
  } catch (error) {
    if (error instanceof InvalidFieldError) return { ok: false, error: error.error };
    throw error;
  }
}

function parseUpdate(update: PeerUpdate, context: PeeringContext): PeeringRequest {
  const { address_family, bgp_extnh } = update;
  const choices = { address_family, bgp_extnh, custom_local_ipv6: "Yes" } as const;
  const submitted = (field: "peer_ipv4" | "peer_ipv6" | "local_ipv6") =>
    isFieldShown[field](choices) && (update[field] !== "" || isFieldRequired[field](choices))
      ? update[field]
      : null;
  const { localIpv6, ...values } = canonicalizeValues(
    {
      endpointHost: update.remote_ip,
      endpointPort: parsePort(update.remote_port),
      publicKey: update.public_key,
      peerIpv4: submitted("peer_ipv4"),
      peerIpv6: submitted("peer_ipv6"),
      localIpv6: submitted("local_ipv6"),
    },
    context,
  );
  return {
    asn: context.asn,
    addressFamily: address_family,
    extendedNextHop: address_family === "Both" && bgp_extnh === "Yes",
    ...values,
    customLocalIpv6: localIpv6,
  };
}

function findRoutedAddresses(request: PeeringRequest): readonly RoutedAddress[] {
  const candidates = [
    { field: "peer_ipv4", address: request.peerIpv4 },
    { field: "peer_ipv6", address: request.peerIpv6 },
    { field: "local_ipv6", address: request.customLocalIpv6 },
  ] as const;
  return candidates.flatMap(({ field, address }) =>
    address !== null && !isLinkLocal(address) ? [{ field, address }] : [],
  );
}

function isLinkLocal(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && contains(linkLocal, address);
}

/** What the server accepts from a participant: the form's rules and those of the network. */
import type { PeerUpdate, PeerUpdateField } from "../../contract/entities.ts";
import { isLinkLocal } from "../address-ranges.ts";
import { parsePort } from "../port.ts";
import { enteredKey, parseOptions } from "./fields/option-values.ts";
import { inputOf } from "./fields/field-lists.ts";
import type { PeeringRequest } from "./fields/peering-request.ts";
import { type CheckedFieldError } from "./invalid-field.ts";
import { checkValues, type NodeIdentity, type RuleContext } from "./peering-rules.ts";

export interface PeeringContext extends RuleContext {
  readonly asn: string;
  readonly node: NodeIdentity;
  /** The peering as it is; null if it is new. An option that the update does not have stays as it is. */
  readonly current: PeeringRequest | null;
}

/** The values of a submitted peering that passed, canonical; null where there is none or it is invalid. */
export type ValidValues = { readonly [Name in keyof PeeringRequest]: PeeringRequest[Name] | null } & Pick<
  PeeringRequest,
  "asn" | "addressFamily" | "extendedNextHop"
>;

/** A tunnel address that must be registered to the AS, since the network routes it. */
export interface RoutedAddress {
  readonly field: PeerUpdateField;
  readonly address: string;
}

export type CheckedUpdate = { readonly routed: readonly RoutedAddress[] } & (
  | { readonly ok: true; readonly request: PeeringRequest }
  | { readonly ok: false; readonly valid: ValidValues; readonly errors: readonly CheckedFieldError[] }
);

/** Parses and checks a submitted peering. The errors are in the order of the form, at most one for each field. */
export function checkPeerUpdate(update: PeerUpdate, context: PeeringContext): CheckedUpdate {
  const { valid, errors: invalid } = parseUpdate(update, context);
  const errors = valid.presharedKey === "unknown" ? [...invalid, unknownKeyError] : invalid;
  const { publicKey } = valid;
  const routed = findRoutedAddresses(valid);
  return errors.length > 0 || publicKey === null
    ? { ok: false, valid, errors, routed }
    : { ok: true, request: { ...valid, publicKey }, routed };
}

/** The node's key would be removed with the next deployment. */
const unknownKeyError: CheckedFieldError = {
  field: "preshared_key",
  message:
    "The server no longer has the pre-shared key of this peering. Enter it again, generate another one, or remove it.",
};

function parseUpdate(update: PeerUpdate, context: PeeringContext) {
  const { address_family, bgp_extnh, remote_ip, remote_port } = update;
  const no_endpoint = connectsToNode(update, context.current) ? "Yes" : "";
  const choices = { address_family, bgp_extnh, custom_local_ipv6: "Yes", no_endpoint } as const;
  const submitted = (field: "peer_ipv4" | "peer_ipv6" | "local_ipv6") => {
    const { isShown, isRequired } = inputOf(field);
    return isShown(choices) && (update[field] !== "" || isRequired(choices)) ? update[field] : null;
  };
  const options = parseOptions(update, context.current);
  const { values, errors } = checkValues(
    {
      endpointHost: no_endpoint === "Yes" ? null : remote_ip,
      endpointPort: no_endpoint === "Yes" ? null : parsePort(remote_port),
      publicKey: update.public_key,
      peerIpv4: submitted("peer_ipv4"),
      peerIpv6: submitted("peer_ipv6"),
      localIpv6: submitted("local_ipv6"),
      ...options,
      presharedKey: enteredKey(update),
    },
    context,
  );
  const { localIpv6, presharedKey: _key, ...others } = values;
  const valid: ValidValues = {
    asn: context.asn,
    addressFamily: address_family,
    extendedNextHop: address_family === "Both" && bgp_extnh === "Yes",
    ...others,
    customLocalIpv6: localIpv6,
    presharedKey: options.presharedKey,
  };
  return {
    valid,
    errors: no_endpoint === "Yes" && remote_ip + remote_port !== "" ? [...errors, twoEndpointsError] : errors,
  };
}

const twoEndpointsError: CheckedFieldError = {
  field: "no_endpoint",
  message: "A router that connects to the node has no endpoint: leave host and port empty.",
};

/** Without an answer, the endpoint stays absent if the update has none either. */
function connectsToNode({ no_endpoint, remote_ip, remote_port }: PeerUpdate, current: PeeringRequest | null) {
  if (no_endpoint !== undefined) return no_endpoint === "Yes";
  return current !== null && current.endpointHost === null && remote_ip + remote_port === "";
}

function findRoutedAddresses(request: ValidValues): readonly RoutedAddress[] {
  const candidates = [
    { field: "peer_ipv4", address: request.peerIpv4 },
    { field: "peer_ipv6", address: request.peerIpv6 },
    { field: "local_ipv6", address: request.customLocalIpv6 },
  ] as const;
  return candidates.flatMap(({ field, address }) =>
    address !== null && !isLinkLocal(address) ? [{ field, address }] : [],
  );
}

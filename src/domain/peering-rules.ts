/**
 * What the server accepts for a peering: the form's rules and the stricter ones of the network.
 *
 * Nothing that passes here can hold a character outside its own alphabet: every value is parsed to numbers
 * or bytes and rendered again, so the texts that come out are ours and not the participant's.
 */
import type { Peering } from "../contract/agent.ts";
import type { PeerUpdate, PeerUpdateField } from "../contract/entities.ts";
import { endpointFault, linkLocal, networkIpv4, networkIpv6 } from "./address-ranges.ts";
import { canonicalHost, isInnerName } from "./host-name.ts";
import { parseIpv4 } from "./ipv4.ts";
import { isIpv4Mapped, parseIpv6Text } from "./ipv6.ts";
import { fieldRequired, fieldShown } from "./peer-form.ts";
import { parsePort } from "./port.ts";
import { type Address, contains, formatAddress, networkOf, parseAddress, type Prefix } from "./prefix.ts";
import { isLowOrder, parseKey } from "./wireguard-key.ts";

/** What a node is, as far as the rules need it. */
export interface NodeIdentity {
  /** Its public addresses and host names, canonical. */
  readonly endpoints: readonly string[];
  readonly tunnelIpv4: string | null;
  readonly linkLocal: string;
  /** Its WireGuard public key; null while unknown. */
  readonly publicKey: string | null;
}

export interface PeeringContext {
  readonly asn: string;
  readonly node: NodeIdentity;
  /** Endpoints of all the provider's nodes, canonical. */
  readonly providerEndpoints: readonly string[];
  /** Prefixes of the provider, where no endpoint and no participant's tunnel address may lie. */
  readonly providerPrefixes: readonly Prefix[];
  readonly allowDocumentation: boolean;
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

export interface Refusal {
  readonly field: PeerUpdateField;
  readonly message: string;
}

/** A tunnel address that must be registered to the AS, since the network routes it. */
export interface RoutedAddress {
  readonly field: PeerUpdateField;
  readonly address: string;
}

export type CheckedUpdate =
  | { readonly ok: true; readonly request: PeeringRequest; readonly routed: readonly RoutedAddress[] }
  | { readonly ok: false; readonly refusal: Refusal };

class RuleBroken extends Error {
  readonly refusal: Refusal;
  constructor(field: PeerUpdateField, message: string) {
    super(message);
    this.refusal = { field, message };
  }
}

/** Parses and checks a submitted peering; the refusal names the first field at fault. */
export function checkPeerUpdate(update: PeerUpdate, context: PeeringContext): CheckedUpdate {
  try {
    const request = parseUpdate(update, context);
    return { ok: true, request, routed: routedAddresses(request) };
  } catch (error) {
    if (error instanceof RuleBroken) return { ok: false, refusal: error.refusal };
    throw error;
  }
}

function parseUpdate(update: PeerUpdate, context: PeeringContext): PeeringRequest {
  const choices = {
    address_family: update.address_family,
    bgp_extnh: update.bgp_extnh,
    custom_local_ipv6: "Yes",
  } as const;
  const shown = (field: "peer_ipv4" | "peer_ipv6" | "local_ipv6") =>
    fieldShown[field](choices) && (update[field] !== "" || fieldRequired[field](choices))
      ? update[field]
      : null;
  const peerIpv4 = shown("peer_ipv4");
  const peerIpv6 = shown("peer_ipv6");
  const localIpv6 = shown("local_ipv6");
  const request = {
    asn: context.asn,
    addressFamily: update.address_family,
    extendedNextHop: update.address_family === "Both" && update.bgp_extnh === "Yes",
    endpointHost: checkHost(update.remote_ip, context),
    endpointPort: checkPort(update.remote_port),
    publicKey: checkKey(update.public_key, context),
    peerIpv4: peerIpv4 === null ? null : checkTunnelIpv4(peerIpv4, context),
    peerIpv6: peerIpv6 === null ? null : checkTunnelIpv6("peer_ipv6", peerIpv6, context),
    customLocalIpv6: localIpv6 === null ? null : checkTunnelIpv6("local_ipv6", localIpv6, context),
  };
  if (request.peerIpv6 !== null && request.peerIpv6 === (request.customLocalIpv6 ?? context.node.linkLocal)) {
    throw new RuleBroken(
      "peer_ipv6",
      `${request.peerIpv6} is the node's own side of this tunnel. Choose another address for yours.`,
    );
  }
  return request;
}

function checkHost(text: string, context: PeeringContext): string {
  if (isInnerName(text.toLowerCase())) {
    throw new RuleBroken(
      "remote_ip",
      "This name does not resolve on the public internet. Enter a public name or address.",
    );
  }
  const host = canonicalHost(text);
  if (host === null) {
    throw new RuleBroken("remote_ip", "Not a dotted IPv4 address or a host name.");
  }
  if (context.providerEndpoints.includes(host)) {
    throw new RuleBroken("remote_ip", `${host} is a node of ours. Enter the address of your own router.`);
  }
  const address = parseAddress(host);
  if (address) {
    const fault = resolvedEndpointFault(address, context);
    if (fault)
      throw new RuleBroken("remote_ip", `${host} ${fault}. Enter the public address of your router.`);
  }
  return host;
}

/**
 * Why an address, given or resolved from a name, cannot be a participant's endpoint; null when it can.
 * The text continues a sentence that starts with the address.
 */
export function resolvedEndpointFault(
  address: Address,
  context: Pick<PeeringContext, "allowDocumentation" | "providerEndpoints" | "providerPrefixes">,
): string | null {
  if (context.providerEndpoints.includes(formatAddress(address))) return "is a node of ours";
  if (context.providerPrefixes.some((range) => contains(range, address))) return "is an address of ours";
  return endpointFault(address, context.allowDocumentation);
}

function checkPort(text: string): number {
  const port = parsePort(text);
  if (port === null)
    throw new RuleBroken("remote_port", "Not a port: a whole number from 1 to 65535, without leading zeros.");
  return port;
}

function checkKey(text: string, context: PeeringContext): string {
  const key = parseKey(text);
  if (!key) {
    throw new RuleBroken(
      "public_key",
      "Not a WireGuard public key: 32 bytes in base64, 44 characters ending in '='.",
    );
  }
  if (isLowOrder(key))
    throw new RuleBroken(
      "public_key",
      "This key is a point of low order, which protects nothing. Generate another.",
    );
  if (text === context.node.publicKey)
    throw new RuleBroken("public_key", "This is the node's own key. Enter the public key of your side.");
  return text;
}

function checkTunnelIpv4(text: string, context: PeeringContext): string {
  if (parseIpv4(text) === null) throw new RuleBroken("peer_ipv4", "Not a dotted IPv4 address.");
  const address = mustParse(text);
  if (!networkIpv4.some((range) => contains(range, address))) {
    throw new RuleBroken(
      "peer_ipv4",
      `${text} is outside the network's ranges 172.20.0.0/14, 172.31.0.0/16 and 10.0.0.0/8.`,
    );
  }
  if (text === context.node.tunnelIpv4)
    throw new RuleBroken("peer_ipv4", `${text} is the node's own side of this tunnel.`);
  refuseProviders("peer_ipv4", text, address, context);
  return text;
}

function checkTunnelIpv6(field: "peer_ipv6" | "local_ipv6", text: string, context: PeeringContext): string {
  const parsed = parseIpv6Text(text);
  if (!parsed) throw new RuleBroken(field, "Not an IPv6 address.");
  if (parsed.zone !== null) {
    throw new RuleBroken(
      field,
      `Leave out the zone %${parsed.zone}: it names an interface of your own machine.`,
    );
  }
  if (isIpv4Mapped(parsed.value)) {
    throw new RuleBroken(
      field,
      "An IPv4-mapped IPv6 address never appears on a wire. Enter the IPv4 address in its own field.",
    );
  }
  const address: Address = { bits: 128, value: parsed.value };
  const canonical = formatAddress(address);
  const onLink = contains(linkLocal, address);
  if (!onLink && !networkIpv6.some((range) => contains(range, address))) {
    throw new RuleBroken(field, `${canonical} is outside fe80::/64 and the network's range fd00::/8.`);
  }
  if (networkOf(address, 64) === address.value) {
    throw new RuleBroken(
      field,
      `${canonical} is the subnet-router anycast address of its /64. Choose another one.`,
    );
  }
  refuseProviders(field, canonical, address, context);
  return canonical;
}

function refuseProviders(
  field: PeerUpdateField,
  text: string,
  address: Address,
  context: PeeringContext,
): void {
  if (context.providerPrefixes.some((range) => contains(range, address))) {
    throw new RuleBroken(field, `${text} belongs to us. Enter an address of yours.`);
  }
}

function routedAddresses(request: PeeringRequest): readonly RoutedAddress[] {
  const candidates = [
    { field: "peer_ipv4", address: request.peerIpv4 },
    { field: "peer_ipv6", address: request.peerIpv6 },
    { field: "local_ipv6", address: request.customLocalIpv6 },
  ] as const;
  return candidates.flatMap(({ field, address }) =>
    address !== null && !contains(linkLocal, mustParse(address)) ? [{ field, address }] : [],
  );
}

function mustParse(text: string): Address {
  const address = parseAddress(text);
  if (!address) throw new Error(`not an address: ${text}`);
  return address;
}

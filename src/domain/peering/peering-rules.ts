/**
 * The rules of the network for the values of a peering. The server applies them to what a participant submits
 * (`checkPeerUpdate`), the agent to what the server sends (`checkPeering`).
 *
 * Each rule parses its value to a number or bytes and renders it again. What passes is canonical text and contains no
 * character outside its own alphabet.
 */
import type { Peering } from "../../contract/agent.ts";
import { checkPublicAddress, linkLocal, networkIpv4, networkIpv6 } from "../address-ranges.ts";
import { describeToParticipant, type FindingCode } from "../findings/findings.ts";
import { canonicalizeHost, isInternalName, isNetworkName } from "../host-name.ts";
import { isIpv4Mapped, parseIpv6Text } from "../ipv6.ts";
import { isPort, parsePort } from "../port.ts";
import { type Address, contains, formatAddress, networkOf, parseAddress, type Prefix } from "../prefix.ts";
import { describeNodeAddress } from "./allocation.ts";
import { type TypedField } from "./fields/field-lists.ts";
import { type CheckedField, type CheckedFieldError, InvalidFieldError } from "./invalid-field.ts";
import { type CheckedOptions, checkOptions, optionTextRules } from "./option-rules.ts";
import { isLowOrder, parseKey } from "./wireguard-key.ts";

/** What the rules need to know about a node. */
export interface NodeIdentity {
  /** Its public addresses and host names, canonical. */
  readonly endpoints: readonly string[];
  readonly tunnelIpv4: string | null;
  readonly linkLocal: string;
  /** Its WireGuard public key; null while unknown. */
  readonly publicKey: string | null;
  /** Its further keys, to which its peerings move. */
  readonly addedKeys?: readonly string[];
}

/** What the rules need to know about the provider. */
export interface ProviderContext {
  /** Endpoints of all the provider's nodes, canonical. */
  readonly providerEndpoints: readonly string[];
  /** Prefixes of the provider. They contain no participant's endpoint or tunnel address. */
  readonly providerPrefixes: readonly Prefix[];
  readonly allowDocumentation: boolean;
}

export interface RuleContext extends ProviderContext {
  readonly node: Pick<NodeIdentity, "tunnelIpv4" | "linkLocal" | "publicKey" | "addedKeys">;
  /** The WireGuard public keys of the provider's other nodes. Absent for an agent, which knows only its own. */
  readonly otherNodeKeys?: readonly string[];
}

/** The values of a peering that the rules check; null where the peering has none. */
export type PeeringValues = Pick<
  Peering,
  "endpointHost" | "endpointPort" | "publicKey" | "peerIpv4" | "peerIpv6"
> &
  CheckedOptions & {
    /** Null where the provider chooses. */
    readonly localIpv6: string | null;
  };

/** The result of `checkValues`. */
export interface CheckedValues {
  /** Canonical; null where a value is absent or invalid. */
  readonly values: { readonly [Name in keyof PeeringValues]: PeeringValues[Name] | null };
  /** In the order of the form, at most one for each field. */
  readonly errors: readonly CheckedFieldError[];
}

/** Checks every value. With a host, `endpointPort` is null where it is not a port at all. */
export function checkValues(values: PeeringValues, context: RuleContext): CheckedValues {
  const errors: CheckedFieldError[] = [];
  const attempt = <T>(rule: () => T): T | null => {
    try {
      return rule();
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      errors.push(error.error);
      return null;
    }
  };
  const unlessAbsent = <T>(value: T | null, rule: (given: T) => T) =>
    value === null ? null : attempt(() => rule(value));
  const plain = {
    endpointHost: unlessAbsent(values.endpointHost, (text) => checkHost(text, context)),
    endpointPort:
      values.endpointHost === null && values.endpointPort === null
        ? null
        : attempt(() => checkPort(values.endpointPort, values.endpointHost)),
    publicKey: attempt(() => checkKey(values.publicKey, context)),
    peerIpv4: unlessAbsent(values.peerIpv4, (text) => checkTunnelIpv4(text, context)),
    peerIpv6: unlessAbsent(values.peerIpv6, (text) => checkTunnelIpv6("peer_ipv6", text, context)),
    localIpv6: unlessAbsent(values.localIpv6, (text) => checkTunnelIpv6("local_ipv6", text, context)),
  };
  const { providerPrefixes, node } = context;
  const tunnel = [plain.peerIpv4, plain.peerIpv6, node.tunnelIpv4, plain.localIpv6 ?? node.linkLocal];
  const checked = { ...plain, ...checkOptions(values, { providerPrefixes, tunnel }, unlessAbsent) };
  const taken = describeNodeAddress(checked.peerIpv6, values.localIpv6, checked.localIpv6, node.linkLocal);
  if (taken === null) return { values: checked, errors };
  const message = `${taken} Choose another IPv6 tunnel address for your side.`;
  return {
    values: { ...checked, peerIpv6: null },
    errors: [...errors, { field: "peer_ipv6", message }],
  };
}

/** What is wrong with the text of one field, as far as it is known without the node and the provider; null if nothing. */
export function explainInvalidText(field: TypedField, text: string): string | null {
  try {
    textRules[field](text);
    return null;
  } catch (error) {
    if (error instanceof InvalidFieldError) return error.error.message;
    throw error;
  }
}

/** No address belongs to the provider, and documentation addresses are left to the server. */
const anywhere: RuleContext = {
  node: { tunnelIpv4: null, linkLocal: "", publicKey: null },
  providerEndpoints: [],
  providerPrefixes: [],
  allowDocumentation: true,
};

const textRules: Readonly<Record<TypedField, (text: string) => unknown>> = {
  remote_ip: (text) => checkHost(text, anywhere),
  remote_port: (text) => checkPort(parsePort(text), ""),
  public_key: (text) => checkKey(text, anywhere),
  peer_ipv4: (text) => checkTunnelIpv4(text, anywhere),
  peer_ipv6: (text) => checkTunnelIpv6("peer_ipv6", text, anywhere),
  local_ipv6: (text) => checkTunnelIpv6("local_ipv6", text, anywhere),
  ...optionTextRules,
};

/**
 * Whether a canonical host can be that of an endpoint. The addresses of a name are checked when it is resolved
 * (`findEndpointFault`).
 */
export function isEndpointHost(host: string, context: ProviderContext): boolean {
  try {
    return checkHost(host, context) === host;
  } catch (error) {
    if (error instanceof InvalidFieldError) return false;
    throw error;
  }
}

function checkHost(text: string, context: ProviderContext): string {
  const host = canonicalizeHost(text);
  const explanation = explainHost(text.toLowerCase(), host !== null);
  if (host === null || explanation !== null) {
    throw new InvalidFieldError("remote_ip", explanation ?? "Not an IPv4 address or hostname.");
  }
  if (context.providerEndpoints.includes(host)) {
    throw new InvalidFieldError("remote_ip", describeEndpoint("endpoint-is-node", host));
  }
  const address = parseAddress(host);
  if (address) {
    const code = findEndpointFault(address, context);
    if (code) {
      throw new InvalidFieldError("remote_ip", describeEndpoint(code, host));
    }
  }
  return host;
}

/** Returns why a lower-case text is not the host of an endpoint, or null if there is nothing more to say. */
function explainHost(text: string, isHost: boolean): string | null {
  if (isNetworkName(text))
    return `${text} exists only inside the network. The endpoint must be reachable on the public internet: enter a public name or address.`;
  if (isInternalName(text))
    return "This name does not resolve on the public internet. Enter a public name or address.";
  if (isHost) return null;
  if (parseIpv6Text(text.replaceAll(/^\[|\]$/g, "")))
    return "IPv6 addresses are not accepted here. Enter a hostname with an AAAA record.";
  if (text.includes("/")) return "Enter the host alone, without a scheme, path or prefix length.";
  if (text.includes(":")) return "Enter the host alone: the port has its own field.";
  return null;
}

type EndpointFault = Extract<
  FindingCode,
  "endpoint-is-node" | "endpoint-is-provider" | "endpoint-not-public"
>;

function describeEndpoint(code: EndpointFault, host: string): string {
  return describeToParticipant({ code, facts: { host } });
}

/** Returns why an address, given or resolved from a name, cannot be a participant's endpoint, or null. */
export function findEndpointFault(address: Address, context: ProviderContext): EndpointFault | null {
  if (context.providerEndpoints.includes(formatAddress(address))) return "endpoint-is-node";
  if (context.providerPrefixes.some((range) => contains(range, address))) return "endpoint-is-provider";
  return checkPublicAddress(address, context.allowDocumentation) === null ? null : "endpoint-not-public";
}

function checkPort(port: number | null, host: string | null): number {
  if (host === null) throw new InvalidFieldError("remote_port", "A port needs a host.");
  if (port === null || !isPort(port))
    throw new InvalidFieldError(
      "remote_port",
      "Not a port: a whole number from 1 to 65535, without leading zeros.",
    );
  return port;
}

function checkKey(text: string, context: RuleContext): string {
  const key = parseKey(text);
  if (!key) {
    throw new InvalidFieldError(
      "public_key",
      "Not a WireGuard public key: 32 bytes in base64, 44 characters ending in '='.",
    );
  }
  if (isLowOrder(key))
    throw new InvalidFieldError(
      "public_key",
      "This is not a usable WireGuard key (low-order point). Generate another one.",
    );
  if (text === context.node.publicKey || context.node.addedKeys?.includes(text))
    throw new InvalidFieldError(
      "public_key",
      "This is the node's own key. Enter the public key of your side.",
    );
  if (context.otherNodeKeys?.includes(text))
    throw new InvalidFieldError(
      "public_key",
      "This is the key of another node of ours. Enter the public key of your side.",
    );
  return text;
}

function checkTunnelIpv4(text: string, context: RuleContext): string {
  const address = checkNetworkIpv4("peer_ipv4", text);
  if (text === context.node.tunnelIpv4)
    throw new InvalidFieldError("peer_ipv4", `${text} is the node's own side of this tunnel.`);
  refuseProviderAddress("peer_ipv4", text, address, context);
  return text;
}

/** The address of a text that is IPv4 and in a range of the network; throws `InvalidFieldError` otherwise. */
export function checkNetworkIpv4(field: "peer_ipv4" | "local_ipv4", text: string): Address {
  const address = parseAddress(text);
  if (address?.bits !== 32) throw new InvalidFieldError(field, explainAddress(text, "Not an IPv4 address."));
  if (!networkIpv4.some((range) => contains(range, address))) {
    throw new InvalidFieldError(
      field,
      `${text} is outside the network's ranges 172.20.0.0/14, 172.31.0.0/16 and 10.0.0.0/8.`,
    );
  }
  return address;
}

function checkTunnelIpv6(field: "peer_ipv6" | "local_ipv6", text: string, context: RuleContext): string {
  const parsed = parseIpv6Text(text);
  if (!parsed) throw new InvalidFieldError(field, explainAddress(text, "Not an IPv6 address."));
  if (parsed.zone !== null) {
    throw new InvalidFieldError(
      field,
      `Leave out the zone %${parsed.zone}: it names an interface of your own machine.`,
    );
  }
  if (isIpv4Mapped(parsed.value)) {
    throw new InvalidFieldError(
      field,
      "An IPv4-mapped IPv6 address never appears on a wire. Enter the IPv4 address in its own field.",
    );
  }
  const address: Address = { bits: 128, value: parsed.value };
  const canonical = formatAddress(address);
  const isLinkLocalAddress = contains(linkLocal, address);
  if (!isLinkLocalAddress && !networkIpv6.some((range) => contains(range, address))) {
    throw new InvalidFieldError(field, `${canonical} is outside fe80::/10 and the network's range fd00::/8.`);
  }
  if (networkOf(address, 64) === address.value) {
    throw new InvalidFieldError(
      field,
      `${canonical} is the subnet-router anycast address of its /64. Choose another one.`,
    );
  }
  refuseProviderAddress(field, canonical, address, context);
  return canonical;
}

function explainAddress(text: string, otherwise: string): string {
  return text.includes("/") ? "Leave out the prefix length: enter the address alone." : otherwise;
}

function refuseProviderAddress(
  field: CheckedField,
  text: string,
  address: Address,
  context: RuleContext,
): void {
  if (context.providerPrefixes.some((range) => contains(range, address))) {
    throw new InvalidFieldError(field, `${text} belongs to us. Enter one of your own addresses.`);
  }
}

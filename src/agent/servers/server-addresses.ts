/** What the server tells of the provider's addresses, and where servers connect from. */
import type { ProviderAddresses } from "../../contract/call-tables/other-node-calls.ts";
import { HttpError } from "../../contract/http-error.ts";
import {
  type Address,
  contains,
  formatAddress,
  parseAddress,
  parsePrefix,
  type Prefix,
  unmapIpv4,
} from "../../domain/prefix.ts";
import { canonicalizeEndpoint, canonicalizeRange } from "../config/address-texts.ts";

/** Enough for servers behind a NAT whose address changes. */
const maxConnections = 4;

/** Parses the address of a connection's other end. */
export function parsePeerAddress(text: string): Address | null {
  const address = parseAddress(text.replace(/%.*$/, ""));
  return address && unmapIpv4(address);
}

/** Returns the addresses as the rules compare them. Throws an `HttpError` if one is not valid. */
export function canonicalizeProvider({ version, endpoints, servers }: ProviderAddresses): ProviderAddresses {
  return {
    version,
    endpoints: unique(endpoints.map((text) => canonicalizeEndpoint(text) ?? refuse(text, "endpoints"))),
    servers: unique(servers.map((text) => canonicalizeRange(text) ?? refuse(text, "servers"))),
  };
}

/** Adds the address from which a server has connected to those of before. The oldest are forgotten. */
export function rememberConnection(before: readonly string[], from: string | undefined): string[] {
  const address = parsePeerAddress(from ?? "");
  if (address === null) return [...before];
  const text = formatAddress(address);
  return [...before.filter((other) => other !== text), text].slice(-maxConnections);
}

export interface KnownServers {
  /** `server_addresses` of the configuration, which wins. */
  readonly configured: readonly string[];
  /** As the server tells. */
  readonly told: readonly string[];
  /** From where servers have connected. */
  readonly connections: readonly string[];
  /** By the operator. */
  readonly accepted: readonly string[];
}

/** Returns from where servers connect; empty if neither the configuration nor a server says it. */
export function findServers({ configured, told, connections, accepted }: KnownServers): readonly Prefix[] {
  if (configured.length > 0) return toPrefixes(configured);
  return told.length === 0 ? [] : toPrefixes(unique([...told, ...connections, ...accepted]));
}

/** Returns the addresses that one of the ranges contains. */
export function findContained(addresses: readonly string[], ranges: readonly string[]): readonly string[] {
  const prefixes = toPrefixes(ranges);
  return addresses.filter((text) => {
    const address = parseAddress(text);
    return address !== null && prefixes.some((range) => contains(range, address));
  });
}

/** The ranges are canonical, or addresses. */
function toPrefixes(ranges: readonly string[]): readonly Prefix[] {
  return ranges.flatMap((text) => parsePrefix(canonicalizeRange(text) ?? "") ?? []);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function refuse(text: string, field: "endpoints" | "servers"): never {
  const kind = field === "endpoints" ? "an address or hostname" : "an address or prefix";
  throw new HttpError(422, {
    message: `${JSON.stringify(text)} is not ${kind}. Nothing was changed.`,
    field,
  });
}

import { networkInterfaces } from "node:os";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import type { Logger } from "pino";
import { toClientKey } from "../../domain/client-key.ts";
import {
  type Address,
  contains,
  formatAddress,
  parseAddress,
  type Prefix,
  unmapIpv4,
} from "../../domain/prefix.ts";

export interface ClientAddressOptions {
  /** The reverse proxies whose X-Forwarded-For header is trusted. */
  readonly trustedProxies: readonly Prefix[];
  readonly log: Pick<Logger, "warn">;
  readonly clock: () => number;
}

export type ReadClientAddress = (context: Context) => string;

/**
 * Creates the function that returns the client's address in canonical form, IPv4-mapped addresses as IPv4. It returns
 * "unknown" if the connection has no address, such as in a call within the process.
 */
export function createClientAddressReader({
  trustedProxies,
  log,
  clock,
}: ClientAddressOptions): ReadClientAddress {
  const isTrusted = (address: Address) => trustedProxies.some((range) => contains(range, address));
  const warn = createUntrustedPeerWarning(log, clock);
  return (context) => {
    const peer = readPeer(context);
    if (peer === null) return "unknown";
    const forwarded = context.req.header("x-forwarded-for");
    if (forwarded === undefined) return formatAddress(peer);
    if (isTrusted(peer)) return formatAddress(findClient(peer, forwarded, isTrusted));
    warn(formatAddress(peer));
    return formatAddress(peer);
  };
}

/** Whether a program of the server's own host makes the call, and not for a client of a reverse proxy. */
export function isFromOwnHost(context: Context): boolean {
  const peer = readPeer(context);
  if (peer === null || !isOwnAddress(formatAddress(peer))) return false;
  return ["x-forwarded-for", "forwarded"].every((name) => context.req.header(name) === undefined);
}

/** Loopback, or one of the host's own: a server that listens on a single address has no loopback. */
function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return /^(?:127\.|::1$)/.test(address) || own.some((one) => one.address === address);
}

/** From the right, each entry was added by the hop to its right: only entries that trusted proxies added are read. */
function findClient(peer: Address, forwarded: string, isTrusted: (address: Address) => boolean): Address {
  let client = peer;
  for (const entry of forwarded.split(",").toReversed()) {
    const address = parseEntry(entry.trim());
    if (address === null) return client;
    client = address;
    if (!isTrusted(client)) return client;
  }
  return client;
}

/** `address:port` for IPv4, and `[address]` or `[address]:port` for both, as many proxies write them. */
const bracketsOrPort = /^(?:\[([^[\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?$/;

function parseEntry(entry: string): Address | null {
  const [, inBrackets, ipv4] = bracketsOrPort.exec(entry) ?? [];
  const address = parseAddress(inBrackets ?? ipv4 ?? entry);
  return address && unmapIpv4(address);
}

/** The address that the connection of a request comes from; null in a call within the process. */
export function readPeer(context: Context): Address | null {
  // Only node:http requests carry connection info.
  if (context.env === undefined || !("incoming" in (context.env as object))) return null;
  const [text = ""] = (getConnInfo(context).remote.address ?? "").split("%");
  const address = parseAddress(text);
  return address && unmapIpv4(address);
}

const warningIntervalMs = 3_600_000;
/** Limits both memory and log lines if a client changes its address. */
const maxWarningsPerInterval = 100;

/** Creates a warning that is logged once an hour per client. */
function createUntrustedPeerWarning(log: Pick<Logger, "warn">, clock: () => number): (peer: string) => void {
  /** The times of the warnings by client, the oldest first. */
  const warnedAt = new Map<string, number>();
  return (peer) => {
    const now = clock();
    for (const [client, at] of warnedAt) {
      if (now - at < warningIntervalMs) break;
      warnedAt.delete(client);
    }
    const client = toClientKey(peer);
    if (warnedAt.has(client) || warnedAt.size >= maxWarningsPerInterval) return;
    warnedAt.set(client, now);
    log.warn(
      { peer },
      "X-Forwarded-For was ignored because it came from an address that is not in trusted_proxies",
    );
  };
}

import type { Context } from "hono";
import { getConnInfo } from "@hono/node-server/conninfo";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";

/**
 * The caller's address, canonical. Of X-Forwarded-For only what trusted proxies added is believed: from the
 * right, the first address that is not one of theirs. "unknown" where the connection has no address, as in
 * a call within the process.
 */
export function clientAddress(context: Context, trustedProxies: readonly string[]): string {
  const peer = peerAddress(context);
  if (!trustedProxies.includes(peer)) return peer;
  const forwarded = (context.req.header("x-forwarded-for") ?? "")
    .split(",")
    .map((entry) => canonical(entry.trim()));
  return forwarded.findLast((address) => address !== null && !trustedProxies.includes(address)) ?? peer;
}

function peerAddress(context: Context): string {
  // Only node:http requests carry connection info.
  if (context.env === undefined || !("incoming" in (context.env as object))) return "unknown";
  const { address } = getConnInfo(context).remote;
  return canonical(address?.replace(/^::ffff:/, "") ?? "") ?? "unknown";
}

function canonical(text: string): string | null {
  const address = parseAddress(text);
  return address && formatAddress(address);
}

import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { formatAddress, parseAddress } from "../../domain/prefix.ts";
import { loginSessionMs } from "./login-sessions.ts";
import type { Authenticate } from "./serve-calls.ts";

export interface AuthenticateOptions {
  /** Returns the AS of a login token, or null if the login session is unknown, ended or expired. */
  readonly findLoginSession: (token: string) => Promise<string | null>;
  /** Whether the public URL is https. The cookie is then bound to host and scheme. */
  readonly secure: boolean;
  readonly trustedProxies: readonly string[];
}

/** The name of the login cookie; on https the prefix binds it to host and scheme (RFC 6265bis). */
export function getLoginCookieName(secure: boolean): string {
  return secure ? "__Host-peerdeck" : "peerdeck";
}

/** Creates the function that reads the caller from the login cookie and the client's address from the connection. */
export function createAuthenticate({
  findLoginSession,
  secure,
  trustedProxies,
}: AuthenticateOptions): Authenticate {
  const name = getLoginCookieName(secure);
  const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure } as const;
  return async (context: Context) => {
    const loginToken = getCookie(context, name) ?? null;
    const asn = loginToken === null ? null : await findLoginSession(loginToken);
    if (asn !== null) context.set("asn", asn);
    return {
      clientAddress: readClientAddress(context, trustedProxies),
      loginToken,
      asn,
      signal: context.req.raw.signal,
      setLoginToken(token) {
        if (token === null) deleteCookie(context, name, attributes);
        else setCookie(context, name, token, { ...attributes, maxAge: loginSessionMs / 1000 });
      },
    };
  };
}

/**
 * Returns the client's address in canonical form. Of X-Forwarded-For it trusts only what trusted proxies added: from
 * the right, the first address that is not a trusted proxy. "unknown" if the connection has no address, such as in a
 * call within the process.
 */
export function readClientAddress(context: Context, trustedProxies: readonly string[]): string {
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

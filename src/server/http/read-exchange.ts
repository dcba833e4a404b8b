import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { clientAddress } from "./client-address.ts";
import type { ReadExchange } from "./serve-calls.ts";

export interface ReadExchangeOptions {
  /** The AS of a session token, or null for one that is unknown, ended or expired. */
  readonly findSession: (token: string) => Promise<string | null>;
  /** Whether people reach the app by https: the cookie is bound to host and scheme then. */
  readonly secure: boolean;
  readonly trustedProxies: readonly string[];
}

/** The session cookie's name; on https the prefix binds it to host and scheme (RFC 6265bis). */
export function sessionCookie(secure: boolean): string {
  return secure ? "__Host-peerdeck" : "peerdeck";
}

const maxAgeSeconds = 30 * 24 * 3600;

/** Reads who calls from the session cookie, and the caller's address from the connection. */
export function createReadExchange({
  findSession,
  secure,
  trustedProxies,
}: ReadExchangeOptions): ReadExchange {
  const name = sessionCookie(secure);
  const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure } as const;
  return async (context: Context) => {
    const sessionToken = getCookie(context, name) ?? null;
    const asn = sessionToken === null ? null : await findSession(sessionToken);
    if (asn !== null) context.set("asn", asn);
    return {
      clientAddress: clientAddress(context, trustedProxies),
      sessionToken,
      asn,
      signal: context.req.raw.signal,
      setSessionToken(token) {
        if (token === null) deleteCookie(context, name, attributes);
        else setCookie(context, name, token, { ...attributes, maxAge: maxAgeSeconds });
      },
    };
  };
}

import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { findPublicUrl, isSecure, type PublicUrls } from "../../domain/public-urls.ts";
import type { ReadClientAddress } from "./client-address.ts";
import { loginSessionMs } from "./login-session-rows.ts";
import { readRequestId } from "./request-id.ts";
import { hashSecret, toLoginSessionId } from "./secret-tokens.ts";
import type { Authenticate } from "./serve-calls.ts";

export interface AuthenticateOptions {
  /** Returns the AS of a login token, or null if the login session is unknown, ended or expired. */
  readonly findLoginSession: (token: string) => Promise<string | null>;
  readonly urls: PublicUrls;
  readonly readClientAddress: ReadClientAddress;
}

/** The name of the login cookie at a public URL; on https the prefix binds it to host and scheme (RFC 6265bis). */
export function getLoginCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? "__Host-peerdeck" : "peerdeck";
}

/** As long as browsers keep a cookie (RFC 6265bis: 400 days). Every login renews it. */
const knownClientSeconds = 400 * 24 * 3600;

/** Longer than any challenge, so that several that are open at once share a cookie. */
const challengeSeconds = 24 * 3600;

/** Creates the function that reads the caller from the login cookie. */
export function createAuthenticate({
  findLoginSession,
  urls,
  readClientAddress,
}: AuthenticateOptions): Authenticate {
  return async (context: Context) => {
    const publicUrl = findPublicUrl(urls, context.req.header("host"));
    const name = getLoginCookieName(publicUrl);
    const knownClientName = `${name}-known`;
    const challengeName = `${name}-challenge`;
    const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure: isSecure(publicUrl) } as const;
    const loginToken = getCookie(context, name) ?? null;
    const asn = loginToken === null ? null : await findLoginSession(loginToken);
    if (asn !== null) context.set("asn", asn);
    const hash = asn === null || loginToken === null ? null : hashSecret(loginToken);
    const clientAddress = readClientAddress(context);
    return {
      clientAddress,
      loginToken,
      asn,
      apiToken: null,
      knownClientCookie: getCookie(context, knownClientName) ?? null,
      challengeCookie: getCookie(context, challengeName) ?? null,
      origin: {
        clientAddress,
        loginSession: hash && toLoginSessionId(hash),
        apiToken: null,
        requestId: readRequestId(context),
        userAgent: context.req.header("user-agent") ?? null,
        publicUrl,
      },
      signal: context.req.raw.signal,
      setLoginToken(token) {
        if (token === null) deleteCookie(context, name, attributes);
        else setCookie(context, name, token, { ...attributes, maxAge: loginSessionMs / 1000 });
      },
      setKnownClientCookie(value) {
        setCookie(context, knownClientName, value, { ...attributes, maxAge: knownClientSeconds });
      },
      setChallengeCookie(value) {
        setCookie(context, challengeName, value, { ...attributes, maxAge: challengeSeconds });
      },
    };
  };
}

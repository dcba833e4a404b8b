import type { Context } from "hono";
import { HttpError } from "#contract/http-error.ts";
import { findPublicUrl, type PublicUrls } from "#domain/public-urls.ts";
import type { Db } from "../../db/open.ts";
import type { ReadClientAddress } from "../client-address.ts";
import type { RequestContext } from "../handlers.ts";
import { type RateLimits, takeAll } from "../rate-limits.ts";
import { readRequestId } from "../request-id.ts";
import { toApiTokenId } from "../secret-tokens.ts";
import { findApiToken } from "./api-token-rows.ts";

export interface AuthenticateTokenDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly rateLimits: Pick<RateLimits, "failedApiTokenPerClient">;
  readonly urls: PublicUrls;
  readonly readClientAddress: ReadClientAddress;
}

/** Identifies the caller from an API token. Throws `HttpError` 401 if it is not valid, and 429 after too many of these. */
export type AuthenticateToken = (context: Context, token: string) => Promise<RequestContext>;

/** Returns the token of the header `Authorization: Bearer …`, or null. Other schemes may belong to a reverse proxy. */
export function readBearerToken({ req }: Context): string | null {
  const found = /^bearer(?: +(.*))?$/i.exec(req.header("authorization") ?? "");
  return found && (found[1] ?? "");
}

/** Creates the function that reads the caller from an API token. Cookies of the request are ignored, and none is set. */
export function createAuthenticateToken({
  db,
  clock,
  rateLimits,
  urls,
  readClientAddress,
}: AuthenticateTokenDeps): AuthenticateToken {
  return async (context, token) => {
    const clientAddress = readClientAddress(context);
    const found = await findApiToken(db, token, { now: clock(), clientAddress });
    if (!found) {
      await takeAll(rateLimits.failedApiTokenPerClient.countsOf(clientAddress));
      throw invalidTokenError();
    }
    const { asn, name, scope, node, hash } = found;
    context.set("asn", asn);
    return {
      clientAddress,
      loginToken: null,
      asn,
      apiToken: { scope, node },
      knownClientCookie: null,
      challengeCookie: null,
      origin: {
        clientAddress,
        loginSession: toApiTokenId(hash),
        apiToken: name,
        requestId: readRequestId(context),
        userAgent: context.req.header("user-agent") ?? null,
        publicUrl: findPublicUrl(urls, context.req.header("host")),
      },
      signal: context.req.raw.signal,
      setLoginToken: ignore,
      setKnownClientCookie: ignore,
      setChallengeCookie: ignore,
    };
  };
}

function ignore(): void {}

/** The same for each reason: the response tells nothing of a token that was guessed or found. */
function invalidTokenError(): HttpError {
  return new HttpError(
    401,
    {
      message:
        "This API token is unknown, has expired or was revoked. Nothing was changed; create another one in Settings.",
    },
    { challenge: 'Bearer error="invalid_token"' },
  );
}

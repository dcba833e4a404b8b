import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import type { Call } from "../../contract/call.ts";
import { calls } from "../../contract/calls.ts";
import { HttpError } from "../../contract/http-error.ts";
import { findByHost, type PublicUrls } from "../../domain/public-urls.ts";

const defaultBodyBytes = 16 * 1024;

/** Limits of calls that take more, by their paths. */
const bodyBytes = new Map<string, number>(
  Object.values(calls).flatMap(({ path, maxBodyBytes }: Call) =>
    maxBodyBytes === undefined ? [] : [[path, maxBodyBytes]],
  ),
);

/** Rejects requests that come from pages of other sites, are not plain JSON, or are too large, before any handler. */
export function guardRequests(urls: PublicUrls): MiddlewareHandler {
  return createMiddleware(async (context, next) => {
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      assertSameOrigin(context, urls);
      assertJson(context);
    }
    return limitBody(bodyBytes.get(context.req.path.replace(/\/$/, "")) ?? defaultBodyBytes)(context, next);
  });
}

function limitBody(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () => {
      throw new HttpError(413, { message: `The body is larger than ${maxSize} bytes. Nothing was changed.` });
    },
  });
}

/** Checks the fetch metadata, or the origin for browsers without it. A client that sends neither is not a browser. */
export function assertSameOrigin({ req }: Context, urls: PublicUrls): void {
  const site = req.header("sec-fetch-site");
  const origin = req.header("origin");
  const isOwnPage =
    site === undefined
      ? isOwnOrigin(origin, req.header("host"), urls)
      : site === "same-origin" || site === "none";
  if (!isOwnPage)
    throw new HttpError(403, {
      message: "This request came from a page of another site. Nothing was changed.",
    });
}

/**
 * A page of another public URL is one of another site. A host that is not in the profile may be that of a proxy, or an
 * address of the server, to which browsers send no cookie of a public URL.
 */
function isOwnOrigin(origin: string | undefined, host: string | undefined, urls: PublicUrls): boolean {
  if (origin === undefined) return true;
  const used = findByHost(urls, host);
  if (used !== undefined) return origin === used;
  return origin === urls.publicUrl || (URL.canParse(origin) && new URL(origin).host === host);
}

function assertJson({ req }: Context): void {
  const type = req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const empty =
    type === undefined && (req.header("content-length") ?? "0") === "0" && !req.header("transfer-encoding");
  const encoding = req.header("content-encoding") ?? "identity";
  if ((type === "application/json" || empty) && encoding === "identity") return;
  throw new HttpError(415, {
    message: "Send the body as application/json, not compressed. Nothing was changed.",
  });
}

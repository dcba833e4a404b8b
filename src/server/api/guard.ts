import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { HttpError } from "../../contract/http-error.ts";

const maxBodyBytes = 16 * 1024;

/** Rejects requests that come from pages of other sites, are not plain JSON, or are too large, before any handler. */
export function guardRequests({ publicUrl }: { readonly publicUrl: string }): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new HttpError(413, {
        message: `The body is larger than ${maxBodyBytes} bytes. Nothing was changed.`,
      });
    },
  });
  return createMiddleware(async (context, next) => {
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      assertSameOrigin(context, new URL(publicUrl).origin);
      assertJson(context);
    }
    return limit(context, next);
  });
}

/** Checks the fetch metadata, or the origin for browsers without it. A client that sends neither is not a browser. */
export function assertSameOrigin({ req }: Context, publicOrigin: string): void {
  const site = req.header("sec-fetch-site");
  const origin = req.header("origin");
  const isOwnPage =
    site === undefined
      ? isOwnOrigin(origin, req.header("host"), publicOrigin)
      : site === "same-origin" || site === "none";
  if (!isOwnPage)
    throw new HttpError(403, {
      message: "This request came from a page of another site. Nothing was changed.",
    });
}

function isOwnOrigin(origin: string | undefined, host: string | undefined, publicOrigin: string): boolean {
  if (origin === undefined || origin === publicOrigin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
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

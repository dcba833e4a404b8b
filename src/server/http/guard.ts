import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { Refusal } from "./refusal.ts";

const maxBodyBytes = 16 * 1024;

/**
 * What every call must be before anybody looks at it: of our own pages or of no browser at all, JSON, not
 * compressed, and small.
 */
export function guardRequests({ publicUrl }: { readonly publicUrl: string }): MiddlewareHandler {
  const limit = bodyLimit({
    maxSize: maxBodyBytes,
    onError: () => {
      throw new Refusal(413, {
        message: `The body is larger than ${maxBodyBytes} bytes. Nothing was changed.`,
      });
    },
  });
  return createMiddleware(async (context, next) => {
    if (context.req.method !== "GET" && context.req.method !== "HEAD") {
      refuseOtherSites(context, new URL(publicUrl).origin);
      refuseOtherThanJson(context);
    }
    return limit(context, next);
  });
}

/** Fetch metadata, and the origin where a browser is too old to send it; a caller without either is no browser. */
export function refuseOtherSites({ req }: Context, publicOrigin: string): void {
  const site = req.header("sec-fetch-site");
  const origin = req.header("origin");
  const ours =
    site === undefined
      ? isOurs(origin, req.header("host"), publicOrigin)
      : site === "same-origin" || site === "none";
  if (!ours)
    throw new Refusal(403, {
      message: "This request came from a page of another site. Nothing was changed.",
    });
}

function isOurs(origin: string | undefined, host: string | undefined, publicOrigin: string): boolean {
  if (origin === undefined || origin === publicOrigin) return true;
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

function refuseOtherThanJson({ req }: Context): void {
  const type = req.header("content-type")?.split(";")[0]?.trim().toLowerCase();
  const empty =
    type === undefined && (req.header("content-length") ?? "0") === "0" && !req.header("transfer-encoding");
  const encoding = req.header("content-encoding") ?? "identity";
  if ((type === "application/json" || empty) && encoding === "identity") return;
  throw new Refusal(415, {
    message: "Send the body as application/json, not compressed. Nothing was changed.",
  });
}

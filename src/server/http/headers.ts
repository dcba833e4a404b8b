import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

export interface SecurityHeaderOptions {
  /** Whether people reach us over TLS. */
  readonly secure: boolean;
  /** Scripts in the app's own page, as the policy names them; none unless given. */
  readonly scripts?: readonly string[];
  /** Sources of the pages that the app embeds; none unless given. */
  readonly frames?: readonly string[];
  /** Where the map's tiles come from, `https://tile.example.net`; null: from here, or there are none. */
  readonly tileOrigin?: string | null;
}

/**
 * The headers of every answer. Scripts come from us alone; inline styles are allowed, since the app's style
 * library writes them. What `/api` answers is never stored.
 */
export function securityHeaders(options: SecurityHeaderOptions): MiddlewareHandler {
  const headers = secureHeaders(policyOf(options));
  return createMiddleware(async (context, next) => {
    if (context.req.path.startsWith("/api/")) context.header("cache-control", "no-store");
    return headers(context, next);
  });
}

/** The same for the same headers, and another one for others. */
export function headersVersion(options: SecurityHeaderOptions): string {
  return createHash("sha256")
    .update(JSON.stringify(policyOf(options)))
    .digest("hex")
    .slice(0, 16);
}

function policyOf({ secure, scripts = [], frames = [], tileOrigin = null }: SecurityHeaderOptions) {
  return {
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", ...scripts],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", "data:", ...(tileOrigin === null ? [] : [tileOrigin])],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      manifestSrc: ["'self'"],
      workerSrc: ["'self'"],
      ...(frames.length > 0 && { frameSrc: [...frames] }),
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
    },
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
    referrerPolicy: "no-referrer",
    strictTransportSecurity: secure ? "max-age=31536000" : false,
    xContentTypeOptions: "nosniff",
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  } satisfies Parameters<typeof secureHeaders>[0];
}

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";
import { findPublicUrl, isSecure, type PublicUrls } from "../../domain/public-urls.ts";

export interface SecurityHeaderOptions {
  readonly urls: PublicUrls;
  /** Whether https is required of all subdomains too; the default is false. */
  readonly hstsIncludeSubdomains?: boolean;
  /** Hashes of the page's inline scripts; default none. */
  readonly scripts?: readonly string[];
  /** Origins of embedded pages; default none. */
  readonly frames?: readonly string[];
  /** The origin of the map's tiles, `https://tile.example.net`; null if there are none or they are on this origin. */
  readonly tileOrigin?: string | null;
}

/**
 * Sets the headers of every response, HSTS only at public URLs with https. Scripts are allowed from this origin only; inline styles are allowed because the
 * app's style library writes them. Responses below `/api` are never stored.
 */
export function securityHeaders(options: SecurityHeaderOptions): MiddlewareHandler {
  const overHttps = secureHeaders(createPolicy(options, true));
  const overHttp = secureHeaders(createPolicy(options, false));
  return createMiddleware(async (context, next) => {
    if (context.req.path.startsWith("/api/")) context.header("cache-control", "no-store");
    const secure = isSecure(findPublicUrl(options.urls, context.req.header("host")));
    return (secure ? overHttps : overHttp)(context, next);
  });
}

/** Returns a hash that changes with the headers. */
export function hashHeaders(options: SecurityHeaderOptions): string {
  return createHash("sha256")
    .update(JSON.stringify(createPolicy(options, isSecure(options.urls.publicUrl))))
    .digest("hex")
    .slice(0, 16);
}

/**
 * Returns the hashes of the page's inline scripts, `'sha256-…'`, for the content security policy. Scripts with a type
 * are data, and scripts with a source are files; neither is included.
 *
 * @param webDir the folder of the built app; without a page there are no scripts.
 */
export function hashInlineScripts(webDir: string): readonly string[] {
  const page = join(webDir, "index.html");
  if (!existsSync(page)) return [];
  const scripts = readFileSync(page, "utf8").matchAll(/<script>([\s\S]*?)<\/script>/g);
  return Array.from(
    scripts,
    ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
}

function createPolicy(
  { hstsIncludeSubdomains = false, scripts = [], frames = [], tileOrigin = null }: SecurityHeaderOptions,
  secure: boolean,
) {
  const hsts = `max-age=31536000${hstsIncludeSubdomains ? "; includeSubDomains" : ""}`;
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
      objectSrc: ["'none'"],
      ...(frames.length > 0 && { frameSrc: [...frames] }),
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
    },
    crossOriginOpenerPolicy: "same-origin",
    crossOriginResourcePolicy: "same-origin",
    referrerPolicy: "no-referrer",
    strictTransportSecurity: secure ? hsts : false,
    xContentTypeOptions: "nosniff",
    xFrameOptions: "DENY",
    permissionsPolicy: { camera: [], geolocation: [], microphone: [], payment: [], usb: [] },
  } satisfies Parameters<typeof secureHeaders>[0];
}

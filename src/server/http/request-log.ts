import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Logger } from "pino";

/**
 * One line a request, with the AS that is signed in. The query string stays out: the link in a mail carries a token in
 * it.
 */
export function logRequests(log: Logger): MiddlewareHandler {
  return createMiddleware(async (context, next) => {
    const startedAt = performance.now();
    await next();
    const { method, path } = context.req;
    const ms = Math.round(performance.now() - startedAt);
    log.info({ method, path, status: context.res.status, ms, asn: context.get("asn") as unknown }, "request");
  });
}

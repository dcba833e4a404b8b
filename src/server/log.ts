import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { createLogDestination } from "../system/log-destination.ts";
import { readRequestId } from "./api/request-id.ts";
import { type DestinationStream, type LevelWithSilent, type Logger, pino } from "pino";

/** Creates a log with one JSON object per line. It removes fields that may contain secrets, even if they are logged by mistake. */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = createLogDestination(),
): Logger {
  const secrets = ["password", "token", "cookie", "authorization", "text", "body"];
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secrets.flatMap((name) => [name, `*.${name}`]), censor: "[removed]" },
  };
  return pino(options, destination);
}

/** Logs one line per request, with its ID and the logged-in AS. Omits the query string: links in mails carry a token there. */
export function logRequests(log: Logger): MiddlewareHandler {
  return createMiddleware(async (context, next) => {
    const startedAt = performance.now();
    await next();
    const { method, path } = context.req;
    const ms = Math.round(performance.now() - startedAt);
    const asn: unknown = context.get("asn");
    log.info({ id: readRequestId(context), method, path, status: context.res.status, ms, asn }, "request");
  });
}

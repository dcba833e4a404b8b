import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import type { ErrorStatus } from "../../contract/call.ts";
import { isDatabaseUnavailable, OutcomeUnknownError } from "../db/unavailable.ts";
import { HttpError, type ErrorBody } from "../../contract/http-error.ts";
import { clientClosedRequest, isAbortedRequest } from "../../system/aborted-request.ts";
import { readRequestId } from "./request-id.ts";

/** Sent before the request body is read. The connection is closed, or the rest of the body would be parsed as a request. */
const bodyUnreadStatuses = new Set<ErrorStatus>([403, 413, 415]);

/** Turns an error into a response. Errors other than `HttpError` are logged, and the response reveals no details. */
export function createErrorHandler(log: Logger): (error: Error, context: Context) => Response {
  return (error, context) => {
    if (error instanceof HttpError) {
      if (error.status === 429) context.header("retry-after", String(error.retryAfterSeconds));
      if (error.challenge !== null) context.header("www-authenticate", error.challenge);
      if (bodyUnreadStatuses.has(error.status)) context.header("connection", "close");
      return respond(context, error.status, error.body);
    }
    if (error instanceof HTTPException)
      return respond(context, 400, { message: "The request could not be read." });
    if (isAbortedRequest(error, context.req.raw)) return new Response(null, { status: clientClosedRequest });
    const id = readRequestId(context);
    log.error({ err: error, id, path: context.req.path }, "request failed");
    if (error instanceof OutcomeUnknownError) {
      return respond(context, 503, {
        message:
          "The server lost its database while it was saving, so your change may be saved or not. " +
          "Reload in a minute, and try again if it is missing.",
      });
    }
    if (isDatabaseUnavailable(error)) {
      return respond(context, 503, {
        message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
      });
    }
    return respond(context, 500, {
      message: `Something went wrong on our side. Please tell support the number ${id}.`,
    });
  };
}

export function respondUnknownCall(context: Context): Response {
  return respond(context, 404, { message: `There is no call ${context.req.method} ${context.req.path}.` });
}

function respond(context: Context, status: ErrorStatus, body: ErrorBody): Response {
  return context.json(body, status);
}

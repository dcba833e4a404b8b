import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import type { RefusalStatus } from "../../contract/call.ts";
import type { Failure } from "../../contract/failure.ts";
import { isDatabaseUnavailable } from "../db/faults.ts";
import { Refusal } from "./refusal.ts";

/** Answered before the body was read: what is left of it would be taken for the next request. */
const bodyLeftUnread = new Set<RefusalStatus>([403, 413, 415]);

/** Turns whatever a handler threw into a failure; what is not a refusal is logged and told as little as possible. */
export function answerErrors(log: Logger): (error: Error, context: Context) => Response {
  return (error, context) => {
    if (error instanceof Refusal) {
      if (error.status === 429) context.header("retry-after", String(error.retryAfterSeconds));
      if (bodyLeftUnread.has(error.status)) context.header("connection", "close");
      return answer(context, error.status, error.failure);
    }
    if (error instanceof HTTPException)
      return answer(context, 400, { message: "The request could not be read." });
    const id = randomUUID();
    log.error({ err: error, id, path: context.req.path }, "a request failed");
    if (isDatabaseUnavailable(error)) {
      return answer(context, 503, {
        message: "The server cannot save anything right now. Nothing was changed; try again in a minute.",
      });
    }
    return answer(context, 500, {
      message: `Something went wrong on our side. Please tell support the number ${id}.`,
    });
  };
}

export function answerUnknownApi(context: Context): Response {
  return answer(context, 404, { message: `There is no call ${context.req.method} ${context.req.path}.` });
}

function answer(context: Context, status: RefusalStatus, failure: Failure): Response {
  return context.json(failure, status);
}

import type { RefusalStatus } from "../../contract/call.ts";
import type { Failure } from "../../contract/failure.ts";
import { RouterUnavailable } from "../drivers/router.ts";
import { AgentStopping } from "../reconcile/reconciler.ts";

/** Thrown by a handler to answer with a status of its own. */
export class HttpFailure extends Error {
  override readonly name = "HttpFailure";
  readonly status: RefusalStatus;
  readonly failure: Failure;

  constructor(status: RefusalStatus, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

/** The answer to anything a handler threw; what is not known here is told to the log and to nobody else. */
export function failureOf(error: unknown): { readonly status: RefusalStatus; readonly failure: Failure } {
  if (error instanceof HttpFailure) return error;
  if (error instanceof AgentStopping) return { status: 503, failure: { message: error.message } };
  if (error instanceof RouterUnavailable) {
    return {
      status: 503,
      failure: { message: `The node's router cannot be reached: ${error.message} Try again in a minute.` },
    };
  }
  return {
    status: 500,
    failure: { message: "The agent failed; its log says why. What is confirmed was kept." },
  };
}

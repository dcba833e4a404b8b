import type { RefusalStatus } from "../../contract/call.ts";
import type { Failure } from "../../contract/failure.ts";

interface RefusalOptions {
  /** When a 429 is worth trying again. */
  readonly retryAfterSeconds?: number;
}

/** Thrown by a handler to answer with anything but 200. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: RefusalStatus;
  readonly failure: Failure;
  readonly retryAfterSeconds: number;

  constructor(status: RefusalStatus, failure: Failure, { retryAfterSeconds = 60 }: RefusalOptions = {}) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

import type { RefusalStatus } from "../../contract/call.ts";
import type { Failure } from "../../contract/failure.ts";

/** Thrown by a handler to answer with anything but 200. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: RefusalStatus;
  readonly failure: Failure;

  constructor(status: RefusalStatus, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

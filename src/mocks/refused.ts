import type { RefusalStatus } from "../contract/call.ts";
import type { Failure } from "../contract/failure.ts";

/** Thrown by a mock answer that is a refusal. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: RefusalStatus;
  readonly failure: Failure;

  constructor(status: RefusalStatus, failure: Failure) {
    super(failure.message);
    this.status = status;
    this.failure = failure;
  }
}

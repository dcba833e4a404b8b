import type { PeerUpdateField } from "../../contract/entities.ts";

export interface ValidationError {
  readonly field: PeerUpdateField | "local_port" | "local_ipv4";
  readonly message: string;
}

/** A rule throws it; the exported checks return its `error`. */
export class InvalidFieldError extends Error {
  override readonly name = "InvalidFieldError";
  readonly error: ValidationError;

  constructor(field: ValidationError["field"], message: string) {
    super(message);
    this.error = { field, message };
  }
}

import type { PeerUpdateField } from "../../contract/entities.ts";
import type { FieldError } from "../../contract/http-error.ts";

/** An error of a field of the form. */
export type FormFieldError = FieldError<PeerUpdateField>;

/** The fields with rules: those of the form, and what the provider chooses. */
export type CheckedField = PeerUpdateField | "local_port" | "local_ipv4";
export type CheckedFieldError = FieldError<CheckedField>;

/** A rule throws it; the exported checks return its `error`. */
export class InvalidFieldError extends Error {
  override readonly name = "InvalidFieldError";
  readonly error: CheckedFieldError;

  constructor(field: CheckedField, message: string) {
    super(message);
    this.error = { field, message };
  }
}

import * as v from "valibot";
import type { ErrorStatus } from "./call.ts";

/** An invalid field by its name on the wire, and what is wrong with it. */
export const fieldError = v.object({ field: v.string(), message: v.string() });

/** An invalid field, where the fields are known. */
export interface FieldError<Field extends string = string> {
  readonly field: Field;
  readonly message: string;
}

/** The body of every response that is not 2xx. */
export const errorBody = v.object({
  /** For people, one or two sentences: what happened, what was kept, what to do next. */
  message: v.string(),
  /** The invalid field by its name on the wire, if there is one. */
  field: v.optional(v.string()),
  /** Every invalid field, the first one included. Beyond the specification. */
  errors: v.fallback(v.optional(v.array(fieldError)), undefined),
  /** What the router printed, where the app shows it. */
  output: v.optional(v.string()),
  /** What the participant has to do first: log in again, because the login is too old for the change. Beyond the specification. */
  needs: v.optional(v.string()),
});
export type ErrorBody = v.InferOutput<typeof errorBody>;

/** Fixed messages, which the web app compares to the letter. */
export const errorMessages = {
  invalidCredentials: "Invalid credentials",
  userExists: "User already exists",
  asNotFound: "AS number cannot be found",
  invalidToken: "Invalid or expired token",
} as const;

interface HttpErrorOptions {
  /** When a 429 is worth a retry. */
  readonly retryAfterSeconds?: number;
  /** The header WWW-Authenticate: what is wrong with an API token (RFC 6750). */
  readonly challenge?: string | null;
}

/** A handler throws it to respond with an error status. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: ErrorStatus;
  readonly body: ErrorBody;
  readonly retryAfterSeconds: number;
  readonly challenge: string | null;

  constructor(
    status: ErrorStatus,
    body: ErrorBody,
    { retryAfterSeconds = 60, challenge = null }: HttpErrorOptions = {},
  ) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
    this.challenge = challenge;
  }
}

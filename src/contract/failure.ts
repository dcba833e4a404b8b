import * as v from "valibot";

/** The body of every answer that is not 2xx. */
export const failure = v.object({
  /** One sentence a person can read: what happened, what was kept, what to do next. */
  message: v.string(),
  /** The field at fault, named as on the wire, where there is one. */
  field: v.optional(v.string()),
  /** What the router printed, where the spec shows it. */
  output: v.optional(v.string()),
});
export type Failure = v.InferOutput<typeof failure>;

/** Fixed messages that the web app tells apart, to the letter. */
export const messages = {
  invalidCredentials: "Invalid credentials",
  userExists: "User already exists",
  asNotFound: "AS number cannot be found",
  invalidToken: "Invalid or expired token",
} as const;

import { CallError } from "../../../contract/client.ts";
import { messages } from "../../../contract/failure.ts";
import { toldBy } from "../../api/client.ts";

export interface SetPasswordFailure {
  /** At the password field, or which tab takes the form's place. */
  readonly at: "field" | "invalidToken" | "error";
  readonly reason: string;
}

/** Section 8 of the specification, "Set password"; a password that the server refuses can be mended in place. */
export function readSetPasswordFailure(error: Error): SetPasswordFailure {
  const reason = toldBy(error);
  if (error instanceof CallError) {
    if (error.status === 400 && reason === messages.invalidToken) return { at: "invalidToken", reason };
    if (error.status === 422 && error.failure.field === "password") return { at: "field", reason };
  }
  return { at: "error", reason };
}

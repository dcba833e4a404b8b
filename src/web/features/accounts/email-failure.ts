import { CallError } from "../../../contract/client.ts";
import { messages } from "../../../contract/failure.ts";
import { toldBy } from "../../api/client.ts";

export interface EmailFailure {
  /** At the field at fault, above the button, or instead of the form. */
  readonly at: "field" | "form" | "screen";
  readonly reason: string;
}

/** Section 8 of the specification, "Send verification". */
export function readEmailFailure(error: Error): EmailFailure {
  if (error instanceof CallError) {
    if (error.failure.message === messages.userExists) return { at: "form", reason: "User already exists." };
    if (error.failure.message === messages.asNotFound)
      return { at: "form", reason: "AS number cannot be found." };
    if (error.status === 429)
      return { at: "form", reason: "Too many requests, please wait and try again later." };
    if (error.status === 422 && error.failure.field === "asn")
      return { at: "field", reason: error.failure.message };
  }
  return { at: "screen", reason: toldBy(error) };
}

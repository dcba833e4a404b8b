import { CallError } from "#contract/client.ts";
import { errorMessages } from "#contract/http-error.ts";
import { errorMessage } from "../../api/client.ts";

export interface EmailLinkError {
  /** Where the message is shown: at the ASN field, above the button, or in place of the form. */
  readonly place: "field" | "form" | "screen";
  readonly message: string;
}

/**
 * Maps an error to its text and place. docs/behaviour.md, section 8: the rows "Registration", "Registration or reset" and
 * "Too many mails".
 */
export function classifyEmailLinkError(error: Error): EmailLinkError {
  if (error instanceof CallError) {
    if (error.body.message === errorMessages.userExists)
      return { place: "form", message: "User already exists." };
    if (error.body.message === errorMessages.asNotFound)
      return { place: "form", message: "AS number cannot be found." };
    if (error.status === 429)
      return { place: "form", message: "Too many requests, please wait and try again later." };
    if (error.status === 422 && error.body.field === "asn")
      return { place: "field", message: error.body.message };
  }
  return { place: "screen", message: errorMessage(error) };
}

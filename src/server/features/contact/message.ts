import type { Failure } from "../../../contract/failure.ts";
import { isMailAddress } from "../../../domain/mail-address.ts";

export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export type CheckedMessage =
  | { readonly ok: true; readonly value: ContactMessage }
  | { readonly ok: false; readonly fault: Failure };

const longestName = 100;
const longestMessage = 5000;
/** Controls, line and paragraph separators, and what turns the direction of a text around. */
const unseen = /[\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const unseenInText = /[\p{Cs}\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/u;

/** Trims and checks what was written; the fault names the first field that is refused. */
export function checkMessage(given: ContactMessage): CheckedMessage {
  const name = given.name.trim();
  const email = given.email.trim();
  const message = given.message.trim();
  const nameLength = Array.from(name).length;
  const length = Array.from(message).length;

  if (nameLength < 1 || nameLength > longestName)
    return refuse("name", `Enter a name of 1 to ${longestName} characters.`);
  if (unseen.test(name) || /[<>"\\]/.test(name)) {
    return refuse("name", 'Leave out special characters such as < > " and \\ in the name.');
  }
  if (!isMailAddress(email)) {
    return refuse("email", "Enter one plain mail address such as you@example.org, so that we can answer.");
  }
  if (length < 1 || length > longestMessage) {
    return refuse("message", `Enter a message of 1 to ${longestMessage} characters; this one has ${length}.`);
  }
  if (unseenInText.test(message)) {
    return refuse(
      "message",
      "The message holds broken or invisible control characters. Type or paste it again as plain text.",
    );
  }
  return { ok: true, value: { name, email, message } };
}

function refuse(field: keyof ContactMessage, message: string): CheckedMessage {
  return { ok: false, fault: { message: `${message} Nothing was sent.`, field } };
}

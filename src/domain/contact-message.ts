import type { Failure } from "../contract/failure.ts";
import { isMailAddress } from "./mail-address.ts";

export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export type CheckedMessage =
  | { readonly ok: true; readonly value: ContactMessage }
  | { readonly ok: false; readonly fault: Failure };

/** In characters, counted as `characters` counts them. */
export const longestName = 100;
export const longestMessage = 5000;

/** What a reader calls characters, near enough: an emoji counts one, blanks around count nothing. */
export function characters(text: string): number {
  return Array.from(text.trim()).length;
}

/** Controls, line and paragraph separators, and what turns the direction of a text around. */
const unseen = /[\p{Cc}\p{Cs}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const unseenInText = /[\p{Cs}\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/u;

/** Trims and checks what was written; the fault names the first field that is refused. */
export function checkMessage(given: ContactMessage): CheckedMessage {
  const [fault] = messageFaults(given);
  if (fault) return { ok: false, fault };
  return {
    ok: true,
    value: { name: given.name.trim(), email: given.email.trim(), message: given.message.trim() },
  };
}

/** What is refused of a message: one fault a field at most, none where all is well. */
export function messageFaults(given: ContactMessage): Failure[] {
  const faults = {
    name: faultOfName(given.name),
    email: isMailAddress(given.email.trim())
      ? ""
      : "Enter one plain mail address such as you@example.org, so that we can answer.",
    message: faultOfText(given.message),
  };
  return Object.entries(faults)
    .filter(([, fault]) => fault !== "")
    .map(([field, fault]) => ({ message: `${fault} Nothing was sent.`, field }));
}

function faultOfName(given: string): string {
  const length = characters(given);
  if (length < 1) return "Enter your name.";
  if (length > longestName) return `Enter a name of 1 to ${longestName} characters.`;
  return unseen.test(given.trim()) || /[<>"\\]/.test(given)
    ? 'Leave out special characters such as < > " and \\ in the name.'
    : "";
}

function faultOfText(given: string): string {
  const length = characters(given);
  if (length < 1) return "Enter a message.";
  if (length > longestMessage)
    return `Enter a message of 1 to ${longestMessage} characters; this one has ${length}.`;
  return unseenInText.test(given.trim())
    ? "The message holds broken or invisible control characters. Type or paste it again as plain text."
    : "";
}

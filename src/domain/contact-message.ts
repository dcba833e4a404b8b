import type { ErrorBody } from "../contract/http-error.ts";
import { isMailAddress } from "./mail-address.ts";
import { countCharacters, invisible } from "./text/characters.ts";

export interface ContactMessage {
  readonly name: string;
  readonly email: string;
  readonly message: string;
}

export type CheckedMessage =
  | { readonly ok: true; readonly value: ContactMessage }
  | { readonly ok: false; readonly error: ErrorBody };

/** In characters, as `countCharacters` counts them. */
export const maxNameLength = 100;
export const maxMessageLength = 5000;

const invisibleInText = /[\p{Cs}\u202A-\u202E\u2066-\u2069]|(?![\t\n\r])\p{Cc}/u;

/** Trims and checks a message. The error names the first invalid field. */
export function checkContactMessage(given: ContactMessage): CheckedMessage {
  const [error] = findMessageErrors(given);
  if (error) return { ok: false, error };
  return {
    ok: true,
    value: { name: given.name.trim(), email: given.email.trim(), message: given.message.trim() },
  };
}

/** Returns at most one error for each field. */
export function findMessageErrors(given: ContactMessage): ErrorBody[] {
  const problems = {
    name: checkName(given.name),
    email: isMailAddress(given.email.trim())
      ? ""
      : "Enter one plain email address such as you@example.org, so that we can reply.",
    message: checkText(given.message),
  };
  return Object.entries(problems)
    .filter(([, problem]) => problem !== "")
    .map(([field, problem]) => ({ message: `${problem} Nothing was sent.`, field }));
}

function checkName(given: string): string {
  const length = countCharacters(given);
  if (length < 1) return "Enter your name.";
  if (length > maxNameLength) return `Enter a name of 1 to ${maxNameLength} characters.`;
  return invisible.test(given.trim()) || /[<>"\\]/.test(given)
    ? 'Leave out special characters such as < > " and \\ in the name.'
    : "";
}

function checkText(given: string): string {
  const length = countCharacters(given);
  if (length < 1) return "Enter a message.";
  if (length > maxMessageLength)
    return `Enter a message of 1 to ${maxMessageLength} characters; this one has ${length}.`;
  return invisibleInText.test(given.trim())
    ? "The message contains broken or invisible control characters. Type or paste it again as plain text."
    : "";
}

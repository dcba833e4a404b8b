import { isMailAddress } from "../../domain/mail-address.ts";

/** A plain text mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly replyTo?: string;
}

/** A mail with an id that is the same in every attempt, so that receivers can detect duplicates. */
export interface OutgoingMail extends Mail {
  readonly id: string;
}

/**
 * Delivers a mail to the mail server. Rejects if the mail server does not accept it: with `RefusedMailError` if it never
 * will, with `MailServerError` if it is the provider's fault, with another error if it may accept it later.
 */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/** Throws if an address or the subject could inject a header. Callers validate before; this is the last check. */
export function assertMail({ to, subject, replyTo }: Mail): void {
  const isSafe =
    isMailAddress(to) &&
    (replyTo === undefined || isMailAddress(replyTo)) &&
    !/[\p{Cc}\u2028\u2029]/u.test(subject);
  if (!isSafe) throw new Error("the address or the subject of a mail is not safe in a header");
}

/** The receiving mail server refused the recipient or the mail for good. The message is its reply. */
export class RefusedMailError extends Error {
  override readonly name = "RefusedMailError";
}

/** The provider's mail server accepts no mail for any recipient: it is down, or refuses the login or the sender. */
export class MailServerError extends Error {
  override readonly name = "MailServerError";
}

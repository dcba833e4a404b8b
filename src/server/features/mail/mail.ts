import { isMailAddress } from "../../../domain/mail-address.ts";

/** A plain text mail to one address. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly replyTo?: string;
}

/** A mail with the id that stays the same over all attempts, so that receivers can tell a repeated one. */
export interface OutgoingMail extends Mail {
  readonly id: string;
}

/** Hands a mail to the mail server; rejects when it was not accepted. */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/** Throws on a mail whose header could hold more than it says. Callers check before; this is the last wall. */
export function assertMail({ to, subject, replyTo }: Mail): void {
  const safe =
    isMailAddress(to) &&
    (replyTo === undefined || isMailAddress(replyTo)) &&
    !/[\p{Cc}\u2028\u2029]/u.test(subject);
  if (!safe) throw new Error("a mail's address or subject is not fit for a header");
}

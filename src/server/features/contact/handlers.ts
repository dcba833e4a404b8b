import { createHash } from "node:crypto";
import { checkContactMessage } from "#domain/contact-message.ts";
import type { Handlers } from "../../api/handlers.ts";
import { HttpError } from "#contract/http-error.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import { contactSubject } from "../../mail/contact-subject.ts";

export type ContactContext = Pick<AppContext, "db" | "profile" | "mailOutbox" | "rateLimits" | "clock">;

export function contactHandlers({
  db,
  profile,
  mailOutbox,
  rateLimits,
  clock,
}: ContactContext): Pick<Handlers, "submitContactForm"> {
  return {
    submitContactForm: async ({ name, email, message }, { asn }) => {
      const checked = checkContactMessage({ name, email, message });
      if (!checked.ok) throw new HttpError(422, checked.error);
      const { value } = checked;
      const mail = {
        to: profile.supportAddress,
        replyTo: value.email,
        subject: contactSubject(asn, profile.name),
        text: `AS${asn}, ${value.name} <${value.email}>, wrote:\n\n${value.message}\n`,
      };
      await db.transaction().execute(async (tx) => {
        if (!(await recordIfNew(tx, mail.text, clock()))) return;
        await rateLimits.contactPerAs.take(asn);
        await mailOutbox.enqueue(tx, mail, { asn });
      });
      mailOutbox.signal();
      return {};
    },
  };
}

/** The same text within this time is a repeated submit of one message, such as after a lost response. */
const duplicateMs = 15 * 60_000;

/**
 * Stores a message's hash and returns true if it is new; returns false if any server stored the same text less than
 * 15 minutes ago.
 *
 * Works within the caller's transaction. The second of two transactions with the same text waits for the end of the
 * first, and stores the hash itself if the first was rolled back.
 */
async function recordIfNew(tx: Db, text: string, now: number): Promise<boolean> {
  const hash = createHash("sha256").update(text).digest("base64url");
  await tx
    .deleteFrom("contact_messages")
    .where("accepted_at", "<=", now - duplicateMs)
    .execute();
  const inserted = await tx
    .insertInto("contact_messages")
    .values({ hash, accepted_at: now })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  return inserted !== undefined;
}

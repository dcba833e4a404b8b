/**
 * Mail that waits in the database until the mail server accepts it (jobs/outbox.ts).
 *
 * Invariants:
 * - A mail exists if and only if the transaction that wrote it was committed.
 * - Every attempt of a mail has the same message id.
 * - A delivered or dropped mail keeps no text: it may contain a token. The text of a waiting mail is sealed.
 */
import { randomUUID } from "node:crypto";
import type { Db } from "../db/open.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";
import { createOutbox, type OutboxDeps } from "../jobs/outbox.ts";
import { assertMail, type Deliver, type Mail } from "./mail.ts";
import { createMailQueue } from "./mail-queue.ts";

export interface MailOutboxDeps extends OutboxDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  /** Null: mail is stored and never sent, as in the demo. */
  readonly deliver: Deliver | null;
  /** The provider's own address. */
  readonly supportAddress: string;
}

/** What a mail is about, for turns and for the end of its link. */
export interface MailOrigin {
  readonly asn: string;
  /** `toClientKey` of the unknown client that requested it; null if the server or a known client did. */
  readonly requestedBy?: string | null;
  /** The token of its link, as in `account_tokens`. The mail is not delivered once the token has ended. */
  readonly tokenHash?: string;
}

/** The provider's mail server accepts no mail. */
export interface MailFault {
  /** When the first attempt failed, in milliseconds since 1970. */
  readonly since: number;
}

export interface StoredMail extends Omit<Mail, "replyTo"> {
  readonly replyTo: string | null;
  /** When it was written, ISO 8601. */
  readonly at: string;
}

export interface FoundMail {
  /** When it was written, in milliseconds since 1970. */
  readonly at: number;
  readonly text: string;
  readonly delivered: boolean;
}

export interface MailOutbox extends AsyncDisposable {
  /** Writes a mail within the caller's transaction. Call `signal` after the commit. */
  enqueue(tx: Db, mail: Mail, origin?: MailOrigin): Promise<void>;
  /** Reports that there may be new mail. */
  signal(): void;
  /** Starts to deliver. */
  start(): void;
  /** The newest hundred mails, newest first. Their texts contain tokens: only the demo may show them. */
  listMails(): Promise<readonly StoredMail[]>;
  /** Finds mails by recipient and subject that were written since then, oldest first. Delivered ones have no text. */
  findMails(mail: Pick<Mail, "to" | "subject">, since: number): Promise<readonly FoundMail[]>;
  /** When the oldest mail that waits for its delivery was written; null if none waits. */
  findOldestWaiting(): Promise<number | null>;
  /** The fault of this server's last attempt; null if the mail server accepted a mail or refused its recipient. */
  readFault(): MailFault | null;
}

export function createMailOutbox({
  db,
  sealer,
  deliver,
  supportAddress,
  ...deps
}: MailOutboxDeps): MailOutbox {
  const { clock, retentionClock } = deps;
  let fault: MailFault | null = null;
  const onAttempt = (isFault: boolean) => {
    fault = isFault ? (fault ?? { since: clock() }) : null;
  };
  const queueDeps = { db, sealer, supportAddress, retentionClock, onAttempt };
  const outbox = deliver && createOutbox(createMailQueue({ ...queueDeps, deliver }), deps);
  let written = 0;

  return {
    enqueue: async (tx, mail, origin) => {
      assertMail(mail);
      const now = clock();
      written += 1;
      // Sorts by time, and within a millisecond by the order of this server.
      const id = [String(now).padStart(14, "0"), String(written).padStart(9, "0"), randomUUID()].join("-");
      await tx
        .insertInto("outbox")
        .values({
          id,
          recipient: mail.to,
          subject: mail.subject,
          body: sealer.seal(mail.text, secretPlaces.mailText(id)),
          reply_to: mail.replyTo ?? null,
          asn: origin?.asn ?? null,
          requested_by: origin?.requestedBy ?? null,
          token_hash: origin?.tokenHash ?? null,
          created_at: now,
          attempts: 0,
          next_attempt_at: now,
          sent_at: null,
          last_error: null,
        })
        .execute();
    },
    signal: () => outbox?.signal(),
    start: () => outbox?.start(),
    listMails: async () => {
      const rows = await db
        .selectFrom("outbox")
        .select(["id", "recipient", "subject", "body", "reply_to", "created_at"])
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(100)
        .execute();
      return rows.map(({ id, recipient, subject, body, reply_to, created_at }) => ({
        to: recipient,
        subject,
        text: sealer.open(body, secretPlaces.mailText(id)),
        replyTo: reply_to,
        at: new Date(created_at).toISOString(),
      }));
    },
    findMails: async ({ to, subject }, since) => {
      const rows = await db
        .selectFrom("outbox")
        .select(["id", "body", "created_at", "sent_at"])
        .where("recipient", "=", to)
        .where("subject", "=", subject)
        .where("created_at", ">=", since)
        .orderBy("id")
        .execute();
      return rows.map(({ id, body, created_at: at, sent_at: sentAt }) => ({
        at,
        text: sealer.open(body, secretPlaces.mailText(id)),
        delivered: sentAt !== null,
      }));
    },
    findOldestWaiting: async () => {
      if (!deliver) return null;
      const { oldest } = await db
        .selectFrom("outbox")
        .select(({ fn }) => fn.min("created_at").as("oldest"))
        .where("sent_at", "is", null)
        .executeTakeFirstOrThrow();
      return oldest;
    },
    readFault: () => fault,
    [Symbol.asyncDispose]: async () => outbox?.[Symbol.asyncDispose](),
  };
}

/**
 * Mail that waits in the database until the mail server accepts it (jobs/outbox.ts).
 *
 * Invariants:
 * - A mail exists if and only if the transaction that wrote it was committed.
 * - Every attempt of a mail has the same message id.
 * - A delivered or dropped mail keeps no text: it may contain a token. The text of a waiting mail is sealed.
 */
import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db } from "../db/open.ts";
import type { Schema } from "../db/schema/schema.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";
import { createOutbox, type OutboxDeps, type OutboxEntry, type OutboxQueue } from "../jobs/outbox.ts";
import { assertMail, type Deliver, type Mail, type OutgoingMail } from "./mail.ts";

export interface MailOutboxDeps extends OutboxDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  /** Null: mail is stored and never sent, as in the demo. */
  readonly deliver: Deliver | null;
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
  enqueue(tx: Db, mail: Mail): Promise<void>;
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
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const maxBackoffMs = 4 * 60 * minuteMs;
/** Longer than a mail server's outage over a weekend. */
const giveUpAfterMs = 3 * dayMs;
/** How long a delivered mail stays listed, for questions about its delivery. */
const retentionMs = 30 * dayMs;
const maxErrorLength = 500;

/** The pause after the n-th failed attempt, from 1: half a minute, doubled each time up to four hours. */
export function mailBackoffMs(attempts: number): number {
  return Math.min(maxBackoffMs, 0.5 * minuteMs * 2 ** (attempts - 1));
}

export function createMailOutbox({ db, sealer, deliver, ...deps }: MailOutboxDeps): MailOutbox {
  const outbox = deliver && createOutbox(mailQueue({ db, sealer, deliver }), deps);
  let written = 0;

  return {
    enqueue: async (tx, mail) => {
      assertMail(mail);
      const now = deps.clock();
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
    [Symbol.asyncDispose]: async () => outbox?.[Symbol.asyncDispose](),
  };
}

interface MailEntry extends OutboxEntry {
  readonly mail: OutgoingMail;
}

function mailQueue({
  db,
  sealer,
  deliver,
}: Pick<MailOutboxDeps, "db" | "sealer"> & { readonly deliver: Deliver }): OutboxQueue<MailEntry> {
  return {
    name: "mail",
    label: "mail",
    concurrency: 4,
    pollMs: 10_000,
    backoffMs: mailBackoffMs,
    shouldGiveUp: ({ createdAt }, { retentionTime }) => retentionTime - createdAt >= giveUpAfterMs,
    prune: async (retentionTime) => {
      await db
        .deleteFrom("outbox")
        .where("sent_at", "<", retentionTime - retentionMs)
        .execute();
    },
    findDue: async (now, limit, except) => {
      const rows = await db
        .selectFrom("outbox")
        .select("id")
        .where("sent_at", "is", null)
        .where("next_attempt_at", "<=", now)
        .$if(except.length > 0, (query) => query.where("id", "not in", except))
        .orderBy("next_attempt_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    read: async (id, now) => {
      const row = await db
        .selectFrom("outbox")
        .selectAll()
        .where("id", "=", id)
        .where("sent_at", "is", null)
        .where("next_attempt_at", "<=", now)
        .executeTakeFirst();
      return row ? toEntry(row, sealer) : null;
    },
    deliver: async ({ mail }) => {
      await deliver(mail);
      return { outcome: "delivered" };
    },
    settle: async ({ id, attempts }, outcome, now) => {
      if (outcome !== "delivered") {
        await db.deleteFrom("outbox").where("id", "=", id).execute();
        return;
      }
      await db
        .updateTable("outbox")
        .set({ body: "", sent_at: now, attempts: attempts + 1, last_error: null })
        .where("id", "=", id)
        .execute();
    },
    postpone: async ({ id }, { attempts, nextAttemptAt, reason }) => {
      await db
        .updateTable("outbox")
        .set({ attempts, next_attempt_at: nextAttemptAt, last_error: reason.slice(0, maxErrorLength) })
        .where("id", "=", id)
        .execute();
    },
  };
}

function toEntry(row: Selectable<Schema["outbox"]>, sealer: Sealer): MailEntry {
  const { id, recipient, subject, body, reply_to: replyTo, attempts, created_at: createdAt } = row;
  const text = sealer.open(body, secretPlaces.mailText(id));
  const mail = { id, to: recipient, subject, text, ...(replyTo !== null && { replyTo }) };
  return { id, attempts, createdAt, mail };
}

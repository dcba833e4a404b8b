/** The outbox's queue of mails (jobs/outbox.ts). */
import type { Db } from "../db/open.ts";
import type { Sealer } from "../db/secrets/sealer.ts";
import { secretPlaces } from "../db/secrets/stored-secrets.ts";
import type { Delivery, OutboxEntry, OutboxQueue } from "../jobs/outbox.ts";
import { createDueMails } from "./due-mails.ts";
import { type Deliver, MailServerError, type OutgoingMail, RefusedMailError } from "./mail.ts";
import { maskAddress } from "./mask-address.ts";
import { deleteOldRefusals, deleteRefusal, recordRefusal } from "./refusals.ts";

export interface MailQueueDeps {
  readonly db: Db;
  readonly sealer: Sealer;
  readonly deliver: Deliver;
  readonly supportAddress: string;
  readonly retentionClock: () => number;
  /** Called after each attempt. `isFault`: the provider's mail server did not get as far as the recipient. */
  readonly onAttempt: (isFault: boolean) => void;
}

export interface MailEntry extends OutboxEntry {
  readonly mail: OutgoingMail;
  /** The AS that the mail is about; null for none. */
  readonly asn: string | null;
  readonly tokenHash: string | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const maxBackoffMs = 4 * 60 * minuteMs;
/** Longer than a mail server's outage over a weekend. A link ends earlier, and its mail with it. */
const giveUpAfterMs = 3 * dayMs;
/** How long a delivered mail stays listed, for questions about its delivery. */
const retentionMs = 30 * dayMs;
const maxErrorLength = 500;

/** The pause after the n-th failed attempt, from 1: half a minute, doubled each time up to four hours. */
export function mailBackoffMs(attempts: number): number {
  return Math.min(maxBackoffMs, 0.5 * minuteMs * 2 ** (attempts - 1));
}

export function createMailQueue({
  db,
  sealer,
  deliver,
  supportAddress,
  retentionClock,
  onAttempt,
}: MailQueueDeps): OutboxQueue<MailEntry> {
  const dueMails = createDueMails(db);
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
      await deleteOldRefusals(db, retentionTime);
    },
    findDue: (now, limit, except) => dueMails.find(now, limit, except),
    read: (id, now) => {
      // At once, so that the turn counts before the next place is given out.
      dueMails.take(id);
      return readEntry({ db, sealer }, id, now);
    },
    deliver: async ({ mail, asn, tokenHash }) => {
      if (tokenHash !== null && !(await isLinkAlive(db, tokenHash, retentionClock()))) {
        return { outcome: "obsolete", facts: { reason: "the link has expired, was used or was replaced" } };
      }
      const delivery = await attempt(deliver, mail, onAttempt);
      if (delivery.outcome !== "rejected") return delivery;
      const { reason } = delivery;
      // A participant wrote it, and the operator can correct the address.
      if (mail.to === supportAddress)
        return { outcome: "retry", reason, retryAfterMs: null, facts: { reason } };
      return {
        ...delivery,
        facts: { recipient: maskAddress(mail.to), reason, ...(asn !== null && { asn }) },
      };
    },
    settle: ({ id, attempts, mail: { to } }, { outcome, reason, at }) =>
      db.transaction().execute(async (tx) => {
        if (outcome === "rejected") {
          await recordRefusal(tx, { recipient: to, refusedAt: at, reason: reason ?? "" });
        }
        if (outcome !== "delivered") {
          await tx.deleteFrom("outbox").where("id", "=", id).execute();
          return;
        }
        await deleteRefusal(tx, to);
        await tx
          .updateTable("outbox")
          .set({ body: "", requested_by: null, sent_at: at, attempts: attempts + 1, last_error: null })
          .where("id", "=", id)
          .execute();
      }),
    postpone: async ({ id }, { attempts, nextAttemptAt, reason }) => {
      await db
        .updateTable("outbox")
        .set({ attempts, next_attempt_at: nextAttemptAt, last_error: reason.slice(0, maxErrorLength) })
        .where("id", "=", id)
        .execute();
    },
  };
}

/** Delivers a mail to the mail server. A temporary refusal of the recipient is an error of `deliver`. */
async function attempt(
  deliver: Deliver,
  mail: OutgoingMail,
  onAttempt: MailQueueDeps["onAttempt"],
): Promise<Extract<Delivery, { readonly outcome: "rejected" }> | { readonly outcome: "delivered" }> {
  try {
    await deliver(mail);
    onAttempt(false);
    return { outcome: "delivered" };
  } catch (error) {
    onAttempt(error instanceof MailServerError);
    if (error instanceof RefusedMailError) return { outcome: "rejected", reason: error.message };
    throw error;
  }
}

/** Whether the token of a link still sets a password. */
async function isLinkAlive(db: Db, tokenHash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("account_tokens")
    .select("hash")
    .where("hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

async function readEntry(
  { db, sealer }: Pick<MailQueueDeps, "db" | "sealer">,
  id: string,
  now: number,
): Promise<MailEntry | null> {
  const row = await db
    .selectFrom("outbox")
    .selectAll()
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where("next_attempt_at", "<=", now)
    .executeTakeFirst();
  if (!row) return null;
  const { recipient: to, subject, reply_to: replyTo, attempts, created_at: createdAt } = row;
  const text = sealer.open(row.body, secretPlaces.mailText(id));
  const mail = { id, to, subject, text, ...(replyTo !== null && { replyTo }) };
  return { id, attempts, createdAt, mail, asn: row.asn, tokenHash: row.token_hash };
}

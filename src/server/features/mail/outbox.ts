/**
 * Mail that waits in the database until the mail server has taken it.
 *
 * Invariants:
 * - A mail exists if and only if the transaction that wrote it was committed.
 * - At most one server delivers at a time (the lock `outbox`), and a mail at most once at a time. One that
 *   dies between the mail server's yes and its own note sends the mail again, under the same message id.
 * - A delivered or given-up mail keeps no text: it may hold a token.
 */
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import { createRounds } from "../../db/rounds.ts";
import { assertMail, type Deliver, type Mail } from "./mail.ts";
import { deliverDue, type DeliveryDeps } from "./delivery.ts";

export interface OutboxDeps {
  readonly db: Db;
  readonly locks: Locks;
  readonly clock: () => number;
  readonly log: Logger;
  /** Null: mail is kept and never sent, as in the demo. */
  readonly deliver: Deliver | null;
}

export interface KeptMail extends Omit<Mail, "replyTo"> {
  readonly replyTo: string | null;
  /** When it was written, ISO 8601. */
  readonly at: string;
}

export interface Outbox extends AsyncDisposable {
  /** Writes a mail within the caller's transaction; call `wake` once that is committed. */
  enqueue(tx: Db, mail: Mail): Promise<void>;
  /** Says that there may be new mail. */
  wake(): void;
  /** Begins to deliver and stays attentive. */
  start(): void;
  /** The newest hundred mails, newest first. Their texts hold tokens: for the demo alone. */
  kept(): Promise<readonly KeptMail[]>;
}

/** How often it looks without being told: retries fall due, another server may have written or died. */
const lookMs = 10_000;
/** How long a stopping server waits for the mail server's answers. */
const closeGraceMs = 2_000;

export function createOutbox({ db, locks, clock, log, deliver }: OutboxDeps): Outbox {
  const deliverer = deliver && createDeliverer({ db, clock, log, deliver }, locks);
  let timer: NodeJS.Timeout | undefined;
  let written = 0;

  return {
    enqueue: async (tx, mail) => {
      assertMail(mail);
      const now = clock();
      written += 1;
      await tx
        .insertInto("outbox")
        .values({
          // Sorts by time, and within a millisecond by the order of this server.
          id: [String(now).padStart(14, "0"), String(written).padStart(9, "0"), randomUUID()].join("-"),
          recipient: mail.to,
          subject: mail.subject,
          body: mail.text,
          reply_to: mail.replyTo ?? null,
          created_at: now,
          attempts: 0,
          next_attempt_at: now,
          sent_at: null,
          last_error: null,
        })
        .execute();
    },
    wake: () => deliverer?.wake(),
    start() {
      if (!deliverer) return;
      timer = setInterval(deliverer.wake, lookMs);
      deliverer.wake();
    },
    kept: async () => {
      const rows = await db
        .selectFrom("outbox")
        .select(["recipient", "subject", "body", "reply_to", "created_at"])
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(100)
        .execute();
      return rows.map(({ recipient, subject, body, reply_to, created_at }) => ({
        to: recipient,
        subject,
        text: body,
        replyTo: reply_to,
        at: new Date(created_at).toISOString(),
      }));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await deliverer?.close();
    },
  };
}

function createDeliverer(deps: DeliveryDeps, locks: Locks) {
  const closing = new AbortController();
  const abandoning = new AbortController();
  const { wake, settled } = createRounds(
    closing.signal,
    () => locks.tryExclusive("outbox", () => deliverDue(deps, closing.signal, abandoning.signal)),
    (error) => deps.log.error({ err: error }, "the outbox could not be worked on"),
  );
  return {
    wake,
    /** Ends after the mails under way, or without those that the mail server takes too long for. */
    async close(): Promise<void> {
      closing.abort();
      const grace = setTimeout(() => abandoning.abort(), closeGraceMs);
      await settled();
      clearTimeout(grace);
    },
  };
}

import type { Selectable } from "kysely";
import type { Logger } from "pino";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema.ts";
import type { Deliver } from "./mail.ts";

export interface DeliveryDeps {
  readonly db: Db;
  readonly clock: () => number;
  readonly log: Logger;
  readonly deliver: Deliver;
}

type OutboxRow = Selectable<Schema["outbox"]>;

/** Side by side, so that one slow receiver does not hold up everybody. */
const atOnce = 4;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestPauseMs = 4 * 60 * minuteMs;
/** A mail server that is down over a long weekend still gets its mail. */
const giveUpAfterMs = 3 * dayMs;
/** That a mail was sent is known this long, for people who ask where theirs is. */
const rememberMs = 30 * dayMs;

/** The pause after the n-th failed attempt, from 1: half a minute, doubled each time up to four hours. */
export function pauseAfter(attempts: number): number {
  return Math.min(longestPauseMs, 0.5 * minuteMs * 2 ** (attempts - 1));
}

/**
 * Delivers until nothing is due or `stop` says so. Once `abandon` aborts, what the mail server has not
 * answered by then stays as it was, to be sent again.
 */
export async function deliverDue(deps: DeliveryDeps, stop: AbortSignal, abandon: AbortSignal): Promise<void> {
  await forgetOld(deps);
  while (!stop.aborted) {
    const due = await dueMails(deps);
    if (due.length === 0) return;
    await Promise.all(due.map((row) => attempt(deps, row, abandon)));
  }
}

async function dueMails({ db, clock }: DeliveryDeps): Promise<readonly OutboxRow[]> {
  return db
    .selectFrom("outbox")
    .selectAll()
    .where("sent_at", "is", null)
    .where("next_attempt_at", "<=", clock())
    .orderBy("next_attempt_at")
    .orderBy("id")
    .limit(atOnce)
    .execute();
}

async function attempt(deps: DeliveryDeps, row: OutboxRow, abandon: AbortSignal): Promise<void> {
  const { db, clock, log, deliver } = deps;
  const attempts = row.attempts + 1;
  const { id } = row;
  try {
    const delivering = deliver({
      id,
      to: row.recipient,
      subject: row.subject,
      text: row.body,
      ...(row.reply_to !== null && { replyTo: row.reply_to }),
    });
    if (!(await endsBefore(delivering, abandon))) return;
  } catch (error) {
    await postpone(deps, row, attempts, error);
    return;
  }
  await db
    .updateTable("outbox")
    .set({ body: "", sent_at: clock(), attempts, last_error: null })
    .where("id", "=", id)
    .execute();
  log.info({ mail: id, attempts }, "mail handed over");
}

/** False when the signal aborted before the work ended; how it ends then is nobody's business. */
async function endsBefore(work: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const aborted = Promise.withResolvers<boolean>();
  const tell = () => aborted.resolve(false);
  signal.addEventListener("abort", tell, { once: true });
  if (signal.aborted) tell();
  try {
    return await Promise.race([work.then(() => true), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", tell);
  }
}

async function postpone(
  { db, clock, log }: DeliveryDeps,
  row: OutboxRow,
  attempts: number,
  error: unknown,
): Promise<void> {
  const now = clock();
  const reason = error instanceof Error ? error.message : String(error);
  if (now - row.created_at >= giveUpAfterMs) {
    await db.deleteFrom("outbox").where("id", "=", row.id).execute();
    log.error({ mail: row.id, attempts, reason }, "mail given up");
    return;
  }
  await db
    .updateTable("outbox")
    .set({ attempts, next_attempt_at: now + pauseAfter(attempts), last_error: reason.slice(0, 500) })
    .where("id", "=", row.id)
    .execute();
  log.warn({ mail: row.id, attempts, reason }, "mail not accepted, will be tried again");
}

async function forgetOld({ db, clock }: DeliveryDeps): Promise<void> {
  await db
    .deleteFrom("outbox")
    .where("sent_at", "<", clock() - rememberMs)
    .execute();
}

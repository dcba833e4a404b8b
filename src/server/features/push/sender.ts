/**
 * Brings waiting messages to their push services.
 *
 * Invariants:
 * - A message is sent by at most one server at a time (the lock `push <id>`), which reads it again under the
 *   lock and notes how it went before it lets go. One that dies between the push service's yes and its own
 *   note sends the message again, under the same topic; the device shows a task once.
 * - At most `atOnce` requests of a server are under way, so one push service that hangs costs so many places
 *   for as long as a request may take.
 * - Who has a free place looks past the messages that other servers work on, so that none of its own waits
 *   for theirs.
 * - Nothing is sent to a host that is not allowed at that moment.
 * - No log line holds an endpoint's path or a key: who has them can write to the browser, or read along.
 */
import type { Logger } from "pino";
import type { Locks } from "../../db/locks.ts";
import type { Db } from "../../db/open.ts";
import { createRounds } from "../../db/rounds.ts";
import { isPushEndpoint } from "./push-endpoint.ts";
import type { PushOutcome, SendPush } from "./push-request.ts";

export interface PushSenderDeps {
  readonly db: Db;
  readonly locks: Locks;
  readonly clock: () => number;
  readonly log: Logger;
  readonly send: SendPush;
  /** The profile's own push services. */
  readonly pushHosts: readonly string[];
}

export interface PushSender extends AsyncDisposable {
  /** Says that there may be new messages. */
  wake(): void;
  /** Begins to send and stays attentive. */
  start(): void;
}

const atOnce = 8;
/** How often it looks without being told: retries fall due, another server may have died. */
const lookMs = 5_000;
/** What has not arrived by then would be stale. */
const validMs = 3_600_000;
const mostAttempts = 5;
/** How long a stopping server waits for the push services' answers. */
const closeGraceMs = 2_000;

/** The pause after the n-th failed attempt, from 1: five seconds, six times as long each time. */
export function pauseAfter(attempts: number): number {
  return 5_000 * 6 ** (attempts - 1);
}

export function createPushSender(deps: PushSenderDeps): PushSender {
  const { db, locks, clock, log } = deps;
  const closing = new AbortController();
  const abandoning = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  const { wake, settled } = createRounds(closing.signal, beginDue, (error) =>
    log.error({ err: error }, "push messages could not be looked for"),
  );

  async function beginDue(): Promise<void> {
    await forgetStale(db, clock());
    let free = atOnce - underWay.size;
    const tried: string[] = [];
    while (free > 0) {
      const due = await dueMessages(db, clock(), [...underWay.keys(), ...tried]);
      if (due.length === 0) return;
      for (const id of due) {
        if (free === 0 || closing.signal.aborted) return;
        if (await begin(id)) free -= 1;
        tried.push(id);
      }
    }
  }

  /** Answers as soon as that is known: true where it has begun, false where another server works on it. */
  async function begin(id: string): Promise<boolean> {
    const begun = Promise.withResolvers<true>();
    const asked = locks.tryExclusive(`push ${id}`, () => {
      begun.resolve(true);
      return attempt(deps, id, abandoning.signal);
    });
    underWay.set(id, ending(id, asked));
    return Promise.race([begun.promise, asked]);
  }

  async function ending(id: string, asked: Promise<boolean>): Promise<void> {
    const ours = await asked.catch((error: unknown) => {
      log.error({ err: error, push: id }, "a push message could not be worked on");
      return false;
    });
    underWay.delete(id);
    // There may be others, for which there was no place; one that cannot be worked on would be found at once.
    if (ours) wake();
  }

  return {
    wake,
    start() {
      timer = setInterval(wake, lookMs);
      wake();
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      const grace = setTimeout(() => abandoning.abort(), closeGraceMs);
      await settled();
      await Promise.all(underWay.values());
      clearTimeout(grace);
    },
  };
}

async function forgetStale(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("push_messages")
    .where("created_at", "<=", now - validMs)
    .execute();
}

/** The oldest, no more than there are places. */
async function dueMessages(db: Db, now: number, except: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("push_messages")
    .select("id")
    .where("next_attempt_at", "<=", now)
    .$if(except.length > 0, (query) => query.where("id", "not in", except))
    .orderBy("next_attempt_at")
    .limit(atOnce)
    .execute();
  return rows.map(({ id }) => id);
}

type Message = NonNullable<Awaited<ReturnType<typeof readMessage>>>;

/** Does nothing where another server has done it. */
async function attempt(deps: PushSenderDeps, id: string, signal: AbortSignal): Promise<void> {
  const { db, clock, log, send, pushHosts } = deps;
  const message = await readMessage(db, id, clock());
  if (!message) return;
  if (message.expires_at <= clock()) {
    await forgetMessage(db, id);
    return;
  }
  const { host } = new URL(message.endpoint);
  if (!isPushEndpoint(message.endpoint, pushHosts)) {
    await forgetSubscription(db, message);
    log.warn({ push: id, host }, "a push service is not allowed any more, its subscription was removed");
    return;
  }
  const ttlSeconds = Math.max(0, Math.floor((message.created_at + validMs - clock()) / 1000));
  const result = await send({ ...message, ttlSeconds }, signal);
  if (signal.aborted && result.outcome === "later") return;
  await note(deps, message, result);
}

async function note(deps: PushSenderDeps, message: Message, result: PushOutcome): Promise<void> {
  const { db, log } = deps;
  const { id } = message;
  const { host } = new URL(message.endpoint);
  const facts = { push: id, host, attempts: message.attempts + 1, status: result.status };
  switch (result.outcome) {
    case "taken":
      await forgetMessage(db, id);
      log.info(facts, "push message handed over");
      break;
    case "gone":
      await forgetSubscription(db, message);
      log.info(facts, "a push subscription has ended and was removed");
      break;
    case "refused":
      await forgetMessage(db, id);
      log.warn(facts, "push message refused");
      break;
    case "later":
      if (await postpone(deps, message, result.retryAfterMs ?? 0)) {
        log.info(facts, "push message not taken, will be tried again");
      } else {
        log.warn(facts, "push message given up");
      }
  }
}

/** Null where it is gone, or not due any more. */
async function readMessage(db: Db, id: string, now: number) {
  const row = await db
    .selectFrom("push_messages as message")
    .innerJoin("push_subscriptions as browser", "browser.id", "message.subscription")
    .innerJoin("sessions as session", "session.hash", "browser.session_hash")
    .select(["message.id", "subscription", "topic", "payload", "attempts", "message.created_at"])
    .select(["endpoint", "p256dh", "auth", "session.expires_at"])
    .where("message.id", "=", id)
    .where("next_attempt_at", "<=", now)
    .executeTakeFirst();
  return row ?? null;
}

/** False where it was given up instead. */
async function postpone({ db, clock }: PushSenderDeps, message: Message, waitMs: number): Promise<boolean> {
  const attempts = message.attempts + 1;
  const next = clock() + Math.max(pauseAfter(attempts), waitMs);
  if (attempts >= mostAttempts || next >= message.created_at + validMs) {
    await forgetMessage(db, message.id);
    return false;
  }
  await db
    .updateTable("push_messages")
    .set({ attempts, next_attempt_at: next })
    .where("id", "=", message.id)
    .execute();
  return true;
}

async function forgetMessage(db: Db, id: string): Promise<void> {
  await db.deleteFrom("push_messages").where("id", "=", id).execute();
}

/** With all its messages; where the session has given another endpoint since, the message alone. */
async function forgetSubscription(db: Db, { id, subscription, endpoint }: Message): Promise<void> {
  await db
    .deleteFrom("push_subscriptions")
    .where("id", "=", subscription)
    .where("endpoint", "=", endpoint)
    .execute();
  await forgetMessage(db, id);
}

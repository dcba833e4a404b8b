/**
 * Push messages that wait in the database until a push service accepts them (jobs/outbox.ts).
 *
 * Invariants:
 * - A message that is delivered twice has the same topic both times; the device shows a task once.
 * - Nothing is sent to a host that the current profile does not allow.
 * - No log line contains an endpoint's path or a key: they allow anyone to send to the browser or to decrypt messages.
 */
import type { Db } from "../db/open.ts";
import { createOutbox, type OutboxDeps, type OutboxEntry, type OutboxQueue } from "../jobs/outbox.ts";
import type { SendPush } from "./push-request.ts";
import { isPushEndpoint } from "./subscription-checks.ts";

export interface PushOutboxDeps extends OutboxDeps {
  readonly db: Db;
  readonly send: SendPush;
  /** Push services that the profile adds to those of the browsers. */
  readonly pushHosts: readonly string[];
}

export interface PushOutbox extends AsyncDisposable {
  /** Reports that there may be new messages. */
  signal(): void;
  /** Starts to deliver. */
  start(): void;
  /** When the oldest message that waits was written; null if none waits. */
  findOldestWaiting(): Promise<number | null>;
}

/** After this time a message is outdated. */
const maxAgeMs = 3_600_000;
const maxAttempts = 5;

/** The pause after the n-th failed attempt, from 1: five seconds, six times as long each time. */
export function pushBackoffMs(attempts: number): number {
  return 5_000 * 6 ** (attempts - 1);
}

export function createPushOutbox({ db, send, pushHosts, ...deps }: PushOutboxDeps): PushOutbox {
  const outbox = createOutbox(pushQueue(db, send, pushHosts, deps.clock), deps);
  return {
    ...outbox,
    findOldestWaiting: async () => {
      const { oldest } = await db
        .selectFrom("push_messages")
        .select(({ fn }) => fn.min("created_at").as("oldest"))
        .executeTakeFirstOrThrow();
      return oldest;
    },
  };
}

interface PushEntry extends OutboxEntry {
  readonly subscription: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly topic: string;
  readonly payload: string;
}

function pushQueue(
  db: Db,
  send: SendPush,
  pushHosts: readonly string[],
  clock: () => number,
): OutboxQueue<PushEntry> {
  return {
    name: "push",
    label: "push message",
    concurrency: 8,
    pollMs: 5_000,
    backoffMs: pushBackoffMs,
    shouldGiveUp: ({ createdAt }, { attempts, retentionTime, pauseMs }) =>
      attempts >= maxAttempts || retentionTime + pauseMs >= createdAt + maxAgeMs,
    prune: (retentionTime) => deleteOutdated(db, retentionTime),
    findDue: async (now, limit, except) => {
      const rows = await db
        .selectFrom("push_messages")
        .select("id")
        .where("next_attempt_at", "<=", now)
        .$if(except.length > 0, (query) => query.where("id", "not in", except))
        .orderBy("next_attempt_at")
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },
    read: async (id, now) => {
      const row = await db
        .selectFrom("push_messages as message")
        .innerJoin("push_subscriptions as browser", "browser.id", "message.subscription")
        .innerJoin("login_sessions as login_session", "login_session.hash", "browser.login_session_hash")
        .select(["message.id", "subscription", "topic", "payload", "attempts"])
        .select(["message.created_at as createdAt", "endpoint", "p256dh", "auth"])
        .where("message.id", "=", id)
        .where("next_attempt_at", "<=", now)
        .where("login_session.expires_at", ">", now)
        .executeTakeFirst();
      return row ?? null;
    },
    deliver: async (entry, signal) => {
      const { host } = new URL(entry.endpoint);
      if (!isPushEndpoint(entry.endpoint, pushHosts)) {
        return { outcome: "gone", facts: { host, status: "host not allowed" } };
      }
      const ttlSeconds = Math.max(0, Math.floor((entry.createdAt + maxAgeMs - clock()) / 1000));
      const result = await send({ ...entry, ttlSeconds }, signal);
      const facts = { host, status: result.status };
      const reason = String(result.status);
      if (result.outcome === "retry") return { ...result, reason, facts };
      return { outcome: result.outcome, reason, facts };
    },
    settle: async ({ id, subscription, endpoint }, { outcome }) => {
      // Deletes the subscription's other messages too, unless the browser has registered another endpoint since.
      if (outcome === "gone") {
        await db
          .deleteFrom("push_subscriptions")
          .where("id", "=", subscription)
          .where("endpoint", "=", endpoint)
          .execute();
      }
      await db.deleteFrom("push_messages").where("id", "=", id).execute();
    },
    postpone: async ({ id }, { attempts, nextAttemptAt }) => {
      await db
        .updateTable("push_messages")
        .set({ attempts, next_attempt_at: nextAttemptAt })
        .where("id", "=", id)
        .execute();
    },
  };
}

/** Deletes messages that are too old, and messages of expired login sessions. */
async function deleteOutdated(db: Db, retentionTime: number): Promise<void> {
  const ofExpiredSessions = db
    .selectFrom("push_subscriptions as browser")
    .innerJoin("login_sessions as login_session", "login_session.hash", "browser.login_session_hash")
    .select("browser.id")
    .where("login_session.expires_at", "<=", retentionTime);
  await db
    .deleteFrom("push_messages")
    .where((message) =>
      message.or([
        message("created_at", "<=", retentionTime - maxAgeMs),
        message("subscription", "in", ofExpiredSessions),
      ]),
    )
    .execute();
}

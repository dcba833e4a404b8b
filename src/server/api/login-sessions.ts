/**
 * Login sessions: rows in the database, with a cache in memory.
 *
 * Invariants:
 * - A cached entry was read from the database, or written to it, after the newest `sessionsEnded` event: a read that
 *   was running when sessions ended is not cached (`epoch`).
 * - A cached entry is valid for a minute at most, so a lost event delays the end of a session by at most a minute.
 * - The cache never contains more than `cacheSize` entries.
 */
import type { Db } from "../db/open.ts";
import type { Events } from "../db/events.ts";
import { createSecret, hashSecret } from "./secret-tokens.ts";

export interface LoginSessions {
  /** Starts a login session and returns the token for the cookie. Ends the AS's least recently used one beyond the limit. */
  start(asn: string): Promise<string>;
  /** Returns the AS of a token, or null if the login session is unknown, ended or expired. Extends the login session. */
  find(token: string): Promise<string | null>;
  /** Whether `find` would return an AS. Does not extend the login session. */
  isLive(token: string): Promise<boolean>;
  end(token: string): Promise<void>;
  /** Ends all login sessions of an AS within the caller's transaction. Call `announceEnded` after the commit. */
  endAll(tx: Db, asn: string): Promise<void>;
  announceEnded(asn: string): Promise<void>;
}

export interface LoginSessionsDeps {
  readonly db: Db;
  readonly events: Events;
  readonly clock: () => number;
}

const hourMs = 3_600_000;
/** A login session ends this long after the last visit. */
export const loginSessionMs = 30 * 24 * hourMs;
const extendEveryMs = hourMs;
/** Far more than an AS has browsers. */
const maxPerAs = 50;
const pruneEveryMs = hourMs;
const cacheMs = 60_000;
const cacheSize = 10_000;

interface Entry {
  readonly asn: string;
  readonly expiresAt: number;
  readonly readAt: number;
}

export function createLoginSessions({ db, events, clock }: LoginSessionsDeps): LoginSessions {
  const cache = new Map<string, Entry>();
  let epoch = 0;
  let prunedAt = -Infinity;
  events.subscribe("sessionsEnded", evict);
  events.onResync(() => {
    epoch += 1;
    cache.clear();
  });

  function evict({ asn }: { readonly asn: string }): void {
    epoch += 1;
    for (const [hash, entry] of cache) if (entry.asn === asn) cache.delete(hash);
  }

  /** This server clears its cache at once; the others when they receive the event. */
  async function announceEnded(asn: string): Promise<void> {
    evict({ asn });
    await events.publish("sessionsEnded", { asn });
  }

  function cacheEntry(hash: string, entry: Entry): void {
    cache.delete(hash);
    cache.set(hash, entry);
    const [oldest] = cache.keys();
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  }

  async function lookUp(hash: string, now: number): Promise<Entry | null> {
    const cached = cache.get(hash);
    const isFresh = cached && Math.abs(now - cached.readAt) < cacheMs && cached.expiresAt > now;
    return isFresh ? cached : read(hash, now);
  }

  async function read(hash: string, now: number): Promise<Entry | null> {
    const startEpoch = epoch;
    const row = await db
      .selectFrom("sessions")
      .select(["asn", "expires_at"])
      .where("hash", "=", hash)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (!row) {
      cache.delete(hash);
      return null;
    }
    const entry = { asn: row.asn, expiresAt: row.expires_at, readAt: now };
    if (startEpoch === epoch) cacheEntry(hash, entry);
    return entry;
  }

  /**
   * Writes at most once an hour. The caller does not wait for it, since the row may be locked. A failed write is
   * ignored: a later visit tries again.
   */
  async function extend(hash: string, entry: Entry, now: number): Promise<void> {
    if (entry.expiresAt - now > loginSessionMs - extendEveryMs) return;
    const expiresAt = now + loginSessionMs;
    if (cache.has(hash)) cacheEntry(hash, { ...entry, expiresAt });
    await db
      .updateTable("sessions")
      .set({ expires_at: expiresAt })
      .where("hash", "=", hash)
      .execute()
      .catch(() => undefined);
  }

  /** Ends those that were extended longest ago, except the newest one, until the AS has `maxPerAs`. */
  async function endOldest(asn: string, newest: string): Promise<void> {
    const { numDeletedRows } = await db
      .deleteFrom("sessions")
      .where("asn", "=", asn)
      .where("hash", "!=", newest)
      .where("hash", "not in", (query) =>
        query
          .selectFrom("sessions")
          .select("hash")
          .where("asn", "=", asn)
          .where("hash", "!=", newest)
          .orderBy("expires_at", "desc")
          .orderBy("created_at", "desc")
          .limit(maxPerAs - 1),
      )
      .executeTakeFirst();
    if (numDeletedRows > 0n) await announceEnded(asn);
  }

  /** Deletes expired login sessions, at most once an hour. A login does not wait for it, and it may fail. */
  async function prune(now: number): Promise<void> {
    if (Math.abs(now - prunedAt) < pruneEveryMs) return;
    prunedAt = now;
    await db
      .deleteFrom("sessions")
      .where("expires_at", "<=", now)
      .execute()
      .catch(() => undefined);
  }

  return {
    start: async (asn) => {
      const token = createSecret();
      const hash = hashSecret(token) ?? "";
      const now = clock();
      await db
        .insertInto("sessions")
        .values({ hash, asn, created_at: now, expires_at: now + loginSessionMs })
        .execute();
      await endOldest(asn, hash);
      void prune(now);
      return token;
    },
    find: async (token) => {
      const hash = hashSecret(token);
      const now = clock();
      const entry = hash === null ? null : await lookUp(hash, now);
      if (hash === null || entry === null) return null;
      void extend(hash, entry, now);
      return entry.asn;
    },
    isLive: async (token) => {
      const hash = hashSecret(token);
      return hash !== null && (await lookUp(hash, clock())) !== null;
    },
    end: async (token) => {
      const hash = hashSecret(token);
      if (hash === null) return;
      const row = await db
        .deleteFrom("sessions")
        .where("hash", "=", hash)
        .returning("asn")
        .executeTakeFirst();
      if (row) await announceEnded(row.asn);
    },
    endAll: async (tx, asn) => {
      await tx.deleteFrom("sessions").where("asn", "=", asn).execute();
    },
    announceEnded,
  };
}

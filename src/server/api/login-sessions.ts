/**
 * Login sessions: rows in the database, with a cache in memory.
 *
 * Invariants:
 * - A cached entry was read from the database, or written to it, after the newest `sessionsEnded` event: a read that
 *   was running when sessions ended is not cached (`epoch`).
 * - A cached entry is valid for `cacheMs`, so a lost event delays the end of a session by that at most. A command on an
 *   SQLite database sends none.
 * - The cache never contains more than `cacheSize` entries.
 */
import { type AuditOrigin, noOrigin } from "../audit/audit-event.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { Db } from "../db/open.ts";
import type { Events } from "../db/events.ts";
import {
  deleteExpired,
  endOldest,
  insertSession,
  type LoginOrigin,
  loginSessionMs,
} from "./login-session-rows.ts";
import { hashSecret, toLoginSessionId } from "./secret-tokens.ts";

export interface LoginSessions {
  /**
   * Starts a login session, records the login, and returns the token for the cookie. Ends the AS's least recently used
   * one beyond the limit.
   *
   * @param alongside writes in the same transaction
   */
  start(asn: string, origin?: LoginOrigin, alongside?: (tx: Db) => Promise<void>): Promise<string>;
  /**
   * Replaces all login sessions of an AS by a new one, which takes over the push subscription of the one with the token,
   * within the caller's transaction. Returns the new token, and leaves the record to the caller. Call `announceEnded`
   * after the commit.
   */
  replaceAll(tx: Db, asn: string, token: string, origin: LoginOrigin): Promise<string>;
  /** Returns the AS of a token, or null if the login session is unknown, ended or expired. Extends the login session. */
  find(token: string): Promise<string | null>;
  /** Returns how many milliseconds ago the login was, or null where `find` would. Does not extend the login session. */
  readAge(token: string): Promise<number | null>;
  /** Whether `find` would return an AS. Does not extend the login session. */
  isLive(token: string): Promise<boolean>;
  /** Ends a login session and records how. */
  end(token: string, by?: EndedBy): Promise<void>;
  /** Ends the login session of an AS by `toLoginSessionId` and records it. Returns false if the AS has no such one. */
  endById(asn: string, id: string, origin: AuditOrigin): Promise<boolean>;
  /**
   * Ends all login sessions of an AS within the caller's transaction, and leaves the record to the caller. Call
   * `announceEnded` after the commit.
   */
  endAll(tx: Db, asn: string): Promise<void>;
  announceEnded(asn: string): Promise<void>;
}

/** How a login session ended, for the audit log. */
export interface EndedBy {
  readonly kind: "logout" | "login-session-replaced";
  readonly origin: AuditOrigin;
}

export interface LoginSessionsDeps {
  readonly db: Db;
  readonly events: Events;
  readonly clock: () => number;
  readonly retentionClock: () => number;
}

const hourMs = 3_600_000;
/** A login session ends this long after the login, whatever the visits. */
const maxLoginSessionMs = 90 * 24 * hourMs;
const extendEveryMs = hourMs;
const pruneEveryMs = hourMs;
const cacheMs = 5_000;
const cacheSize = 10_000;

interface Entry {
  readonly asn: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When the last visit was stored. */
  readonly usedAt: number;
  readonly readAt: number;
}

export function createLoginSessions({ db, events, clock, retentionClock }: LoginSessionsDeps): LoginSessions {
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
      .selectFrom("login_sessions")
      .select(["asn", "created_at", "expires_at", "used_at"])
      .where("hash", "=", hash)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    if (!row) {
      cache.delete(hash);
      return null;
    }
    const { asn, created_at: createdAt, expires_at: expiresAt, used_at: usedAt } = row;
    const entry = { asn, createdAt, expiresAt, usedAt, readAt: now };
    if (startEpoch === epoch) cacheEntry(hash, entry);
    return entry;
  }

  /**
   * Writes at most once an hour. The caller does not wait for it, since the row may be locked. A failed write is
   * ignored: a later visit tries again.
   */
  async function extend(hash: string, entry: Entry, now: number): Promise<void> {
    if (now - entry.usedAt < extendEveryMs) return;
    const expiresAt = Math.min(now + loginSessionMs, entry.createdAt + maxLoginSessionMs);
    if (cache.has(hash)) cacheEntry(hash, { ...entry, expiresAt, usedAt: now });
    await db
      .updateTable("login_sessions")
      .set({ expires_at: expiresAt, used_at: now })
      .where("hash", "=", hash)
      .execute()
      .catch(() => undefined);
  }

  /** Deletes expired login sessions, at most once an hour. A login does not wait for it, and it may fail. */
  async function prune(now: number): Promise<void> {
    if (Math.abs(now - prunedAt) < pruneEveryMs) return;
    prunedAt = now;
    await db
      .transaction()
      .execute((tx) => deleteExpired(tx, { now, expiredAt: retentionClock() }))
      .catch(() => undefined);
  }

  return {
    start: async (asn, origin = noOrigin, alongside) => {
      const now = clock();
      const { token, hasEnded } = await db.transaction().execute(async (tx) => {
        await alongside?.(tx);
        const started = await insertSession(tx, asn, origin, now);
        const { detail } = origin;
        await recordEvent(
          tx,
          { kind: "login", asn, ...(detail !== undefined && { detail }) },
          { ...origin, loginSession: toLoginSessionId(started.hash) },
          now,
        );
        return { token: started.token, hasEnded: await endOldest(tx, asn, started.hash, now) };
      });
      if (hasEnded) await announceEnded(asn);
      void prune(now);
      return token;
    },
    replaceAll: async (tx, asn, token, origin) => {
      const started = await insertSession(tx, asn, origin, clock());
      await tx
        .updateTable("push_subscriptions")
        .set({ login_session_hash: started.hash })
        .where("login_session_hash", "=", hashSecret(token) ?? "")
        .execute();
      await tx
        .deleteFrom("login_sessions")
        .where("asn", "=", asn)
        .where("hash", "!=", started.hash)
        .execute();
      return started.token;
    },
    find: async (token) => {
      const hash = hashSecret(token);
      const now = clock();
      const entry = hash === null ? null : await lookUp(hash, now);
      if (hash === null || entry === null) return null;
      void extend(hash, entry, now);
      return entry.asn;
    },
    readAge: async (token) => {
      const hash = hashSecret(token);
      const now = clock();
      const entry = hash === null ? null : await lookUp(hash, now);
      return entry === null ? null : now - entry.createdAt;
    },
    isLive: async (token) => {
      const hash = hashSecret(token);
      return hash !== null && (await lookUp(hash, clock())) !== null;
    },
    end: async (token, { kind, origin } = { kind: "logout", origin: noOrigin }) => {
      const hash = hashSecret(token);
      if (hash === null) return;
      const asn = await db.transaction().execute(async (tx) => {
        const row = await tx
          .deleteFrom("login_sessions")
          .where("hash", "=", hash)
          .returning("asn")
          .executeTakeFirst();
        if (!row) return null;
        const from = { ...origin, loginSession: toLoginSessionId(hash) };
        await recordEvent(tx, { kind, asn: row.asn }, from, clock());
        return row.asn;
      });
      if (asn !== null) await announceEnded(asn);
    },
    endById: async (asn, id, origin) => {
      const hasEnded = await db.transaction().execute(async (tx) => {
        const own = await tx.selectFrom("login_sessions").select("hash").where("asn", "=", asn).execute();
        const found = own.find(({ hash }) => toLoginSessionId(hash) === id);
        if (!found) return false;
        const { numDeletedRows } = await tx
          .deleteFrom("login_sessions")
          .where("hash", "=", found.hash)
          .executeTakeFirst();
        if (numDeletedRows === 0n) return false;
        await recordEvent(tx, { kind: "login-session-ended", asn }, origin, clock());
        return true;
      });
      if (hasEnded) await announceEnded(asn);
      return hasEnded;
    },
    endAll: async (tx, asn) => {
      await tx.deleteFrom("login_sessions").where("asn", "=", asn).execute();
    },
    announceEnded,
  };
}

/**
 * Sessions: rows in the database, with a cache before them.
 *
 * Invariants:
 * - What the cache says was read from the database, or written to it, after the newest `sessionsEnded` of
 *   that moment: an answer that was under way when sessions ended is not kept (`epoch`).
 * - A cached entry is believed for a minute at most, so a lost event delays an end by no more than that.
 * - The cache never holds more than `cacheSize` entries.
 */
import type { Db } from "../../db/open.ts";
import type { Events } from "../../db/events.ts";
import { createSecret, hashSecret } from "./tokens.ts";

export interface Sessions {
  /** Begins a session; the answer is the token for the cookie. */
  start(asn: string): Promise<string>;
  /** The AS of a token, or null for one that is unknown, ended or expired. Puts the session's end off. */
  find(token: string): Promise<string | null>;
  /** Whether `find` would answer an AS; puts no end off. */
  isLive(token: string): Promise<boolean>;
  end(token: string): Promise<void>;
  /** Ends all sessions of an AS within the caller's transaction; call `announceEnded` once that is committed. */
  endAll(tx: Db, asn: string): Promise<void>;
  announceEnded(asn: string): Promise<void>;
}

export interface SessionsDeps {
  readonly db: Db;
  readonly events: Events;
  readonly clock: () => number;
}

const hourMs = 3_600_000;
/** Without a visit; every visit starts it anew. */
export const sessionMs = 30 * 24 * hourMs;
const slideMs = hourMs;
const believedMs = 60_000;
const cacheSize = 10_000;

interface Entry {
  readonly asn: string;
  readonly expiresAt: number;
  readonly readAt: number;
}

export function createSessions({ db, events, clock }: SessionsDeps): Sessions {
  const cache = new Map<string, Entry>();
  let epoch = 0;
  events.subscribe("sessionsEnded", forget);
  events.onGap(() => {
    epoch += 1;
    cache.clear();
  });

  function forget({ asn }: { readonly asn: string }): void {
    epoch += 1;
    for (const [hash, entry] of cache) if (entry.asn === asn) cache.delete(hash);
  }

  /** This server forgets before it answers; the others when they hear of it. */
  async function announceEnded(asn: string): Promise<void> {
    forget({ asn });
    await events.publish("sessionsEnded", { asn });
  }

  function keep(hash: string, entry: Entry): void {
    cache.delete(hash);
    cache.set(hash, entry);
    const [oldest] = cache.keys();
    if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  }

  async function look(hash: string, now: number): Promise<Entry | null> {
    const cached = cache.get(hash);
    const believed = cached && Math.abs(now - cached.readAt) < believedMs && cached.expiresAt > now;
    return believed ? cached : read(hash, now);
  }

  async function read(hash: string, now: number): Promise<Entry | null> {
    const begunIn = epoch;
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
    if (begunIn === epoch) keep(hash, entry);
    return entry;
  }

  /** At most one write an hour. A failed one costs the visitor nothing: a later visit tries again. */
  async function slide(hash: string, entry: Entry, now: number): Promise<void> {
    if (entry.expiresAt - now > sessionMs - slideMs) return;
    const expiresAt = now + sessionMs;
    if (cache.has(hash)) keep(hash, { ...entry, expiresAt });
    await db
      .updateTable("sessions")
      .set({ expires_at: expiresAt })
      .where("hash", "=", hash)
      .execute()
      .catch(() => undefined);
  }

  return {
    start: async (asn) => {
      const token = createSecret();
      const now = clock();
      await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
      await db
        .insertInto("sessions")
        .values({ hash: hashSecret(token) ?? "", asn, created_at: now, expires_at: now + sessionMs })
        .execute();
      return token;
    },
    find: async (token) => {
      const hash = hashSecret(token);
      const now = clock();
      const entry = hash === null ? null : await look(hash, now);
      if (hash === null || entry === null) return null;
      await slide(hash, entry, now);
      return entry.asn;
    },
    isLive: async (token) => {
      const hash = hashSecret(token);
      return hash !== null && (await look(hash, clock())) !== null;
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

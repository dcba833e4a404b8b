/**
 * Session-level advisory locks, all on one dedicated connection. PostgreSQL releases them when the connection ends, so
 * no lease has to expire and no clock is involved, and long locks occupy no connection of the pool. If a host
 * disappears from the network, PostgreSQL ends its connection after half a minute (`keepaliveSettings`).
 *
 * Invariants: this process holds a name at most once (`held`), since PostgreSQL would grant it to the same connection
 * twice. A connection that does not respond in time, or whose server is read-only, is closed: the locks of a former primary
 * protect nothing. When the connection breaks during work, another server may start the same work: everything that a lock
 * protects must be idempotent.
 */
import pg from "pg";
import type { Locks } from "../locks.ts";
import { ReadOnlyServerError } from "../unavailable.ts";
import { isReadOnly, openDedicated } from "./connection.ts";

export interface PostgresLocks extends Locks, AsyncDisposable {}

export function createPostgresLocks(url: string, onError: (error: unknown) => void): PostgresLocks {
  const held = new Set<string>();
  let connection: Promise<pg.Client> | null = null;
  /** The client of `connection`, once it is open. */
  let open: pg.Client | null = null;
  let lastQuery: Promise<unknown> = Promise.resolve();

  function forget(client: pg.Client): void {
    if (open !== client) return;
    open = null;
    connection = null;
  }

  function discard(client: pg.Client): void {
    if (open !== client) return;
    forget(client);
    client.end().catch(onError);
  }

  function connected(): Promise<pg.Client> {
    connection ??= connect().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  }

  async function connect(): Promise<pg.Client> {
    const client = await openDedicated(url, onError);
    open = client;
    client.once("end", () => forget(client));
    return client;
  }

  /** Runs queries one after the other: a connection takes one query at a time. */
  function query(client: pg.Client, call: "pg_try_advisory_lock" | "pg_advisory_unlock", name: string) {
    const result = lastQuery.then(() =>
      client.query<{ done: boolean; isReadOnly: boolean }>(
        `SELECT ${call}(hashtextextended($1, 0)) AS done, ${isReadOnly} AS "isReadOnly"`,
        [name],
      ),
    );
    lastQuery = result.catch((error: unknown) => {
      // No response: later queries would wait behind it, and a lock that is granted late would stay held.
      if (!(error instanceof pg.DatabaseError)) discard(client);
    });
    return result.then(({ rows }) => {
      if (rows[0]?.isReadOnly !== true) return rows[0]?.done === true;
      discard(client);
      throw new ReadOnlyServerError("the locks of a read-only server protect nothing");
    });
  }

  async function whileLocked(name: string, work: () => Promise<void>): Promise<boolean> {
    const client = await connected();
    if (!(await query(client, "pg_try_advisory_lock", name))) return false;
    try {
      await work();
      return true;
    } finally {
      // If the connection broke, the lock is released already.
      await query(client, "pg_advisory_unlock", name).catch(onError);
    }
  }

  return {
    tryExclusive: async (name, work) => {
      if (held.has(name)) return false;
      held.add(name);
      try {
        return await whileLocked(name, work);
      } finally {
        held.delete(name);
      }
    },
    [Symbol.asyncDispose]: async () => {
      const client = await connection?.catch(() => null);
      await client?.end();
    },
  };
}

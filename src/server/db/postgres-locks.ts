/**
 * Session-level advisory locks, all on one connection of their own: PostgreSQL frees them when it ends, so
 * no lease has to run out and no clock is involved; and however many are held for however long, none of the
 * pool's connections is. A host that goes without a word ends its connection half a minute later (`beWatchful`).
 *
 * Invariants: a name is held at most once in this process (`held`), since PostgreSQL would give it to the
 * same connection twice. A connection that does not answer in time is ended. When one breaks while work is
 * under way, another server may begin the same work: whatever stands behind a lock must be legal to do twice.
 */
import pg from "pg";
import type { Locks } from "./locks.ts";
import { beWatchful, linkOptions } from "./postgres.ts";

export interface PostgresLocks extends Locks, AsyncDisposable {}

export function createPostgresLocks(url: string, onError: (error: unknown) => void): PostgresLocks {
  const held = new Set<string>();
  let connection: Promise<pg.Client> | null = null;
  let lastQuery: Promise<unknown> = Promise.resolve();

  function connected(): Promise<pg.Client> {
    connection ??= connect().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url, ...linkOptions });
    client.on("error", onError);
    try {
      await client.connect();
      await client.query(beWatchful);
    } catch (error) {
      await client.end().catch(onError);
      throw error;
    }
    client.once("end", () => {
      connection = null;
    });
    return client;
  }

  /** One after the other: a connection takes one query at a time. */
  function ask(client: pg.Client, call: "pg_try_advisory_lock" | "pg_advisory_unlock", name: string) {
    const answer = lastQuery.then(() =>
      client.query<{ done: boolean }>(`SELECT ${call}(hashtextextended($1, 0)) AS done`, [name]),
    );
    lastQuery = answer.catch((error: unknown) => {
      // No answer: whatever is asked next would wait behind it, and a lock that is given late would stay held.
      if (!(error instanceof pg.DatabaseError)) void client.end();
    });
    return answer.then(({ rows }) => rows[0]?.done === true);
  }

  async function whileLocked(name: string, work: () => Promise<void>): Promise<boolean> {
    const client = await connected();
    if (!(await ask(client, "pg_try_advisory_lock", name))) return false;
    try {
      await work();
      return true;
    } finally {
      // A connection that broke took the lock with it.
      await ask(client, "pg_advisory_unlock", name).catch(onError);
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

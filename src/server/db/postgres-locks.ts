import { sql } from "kysely";
import type { Locks } from "./locks.ts";
import type { Db } from "./open.ts";

/**
 * Session-level advisory locks: PostgreSQL frees them when the holder's connection ends, so no lease has to
 * run out and no clock is involved.
 */
export function createPostgresLocks(db: Db): Locks {
  return {
    tryExclusive: (name, work) =>
      db.connection().execute(async (connection) => {
        const key = sql`hashtextextended(${name}, 0)`;
        const { rows } = await sql<{ got: boolean }>`SELECT pg_try_advisory_lock(${key}) AS got`.execute(
          connection,
        );
        if (!rows[0]?.got) return false;
        try {
          await work();
          return true;
        } finally {
          await sql`SELECT pg_advisory_unlock(${key})`.execute(connection);
        }
      }),
  };
}

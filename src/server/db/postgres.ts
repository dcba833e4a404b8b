import pg from "pg";
import { PostgresDialect } from "kysely";

const connections = 20;

/** Kysely's PostgreSQL dialect; bigint columns come back as numbers, as on SQLite. */
export function postgresDialect(url: string): PostgresDialect {
  return new PostgresDialect({ pool: async () => createPool(url) });
}

function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // A broken idle connection is dropped by the pool; without a listener it would end the process.
  pool.on("error", () => undefined);
  return pool;
}

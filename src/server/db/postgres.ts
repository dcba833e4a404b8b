import pg from "pg";
import { PostgresDialect } from "kysely";

const connections = 20;

/** Of a connection that stays: a server that went without a word is noticed, and nobody waits for it for ever. */
export const linkOptions = {
  keepAlive: true,
  connectionTimeoutMillis: 5_000,
  query_timeout: 5_000,
} as const;

/** Kysely's PostgreSQL dialect; bigint columns come back as numbers, as on SQLite. */
export function postgresDialect(url: string): PostgresDialect {
  return new PostgresDialect({ pool: async () => createPool(url) });
}

function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // After a failover some may still lead to the server that is read-only now.
    maxLifetimeSeconds: 300,
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // The pool drops a connection that broke while idle, and the next query tells of one that broke while it
  // was lent out, as between two statements of a transaction. Without listeners either would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

import pg from "pg";
import { PostgresDialect } from "kysely";

const connections = 20;

/** Of every connection: a server that went without a word is noticed within half a minute. */
const watchful = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 5_000,
} as const;

/** Of a connection that stays: nobody waits for an answer for ever. */
export const linkOptions = { ...watchful, query_timeout: 5_000 } as const;

/**
 * The first query of every connection: the server shall notice as soon when we are gone without a word, and let go of
 * our locks. Not asked for in the connection's `options`, which poolers refuse and the URL may have its own of.
 */
export const beWatchful =
  "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

/** Kysely's PostgreSQL dialect; bigint columns come back as numbers, as on SQLite. */
export function postgresDialect(url: string): PostgresDialect {
  return new PostgresDialect({ pool: async () => createPool(url) });
}

function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    ...watchful,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect: (client) => client.query(beWatchful),
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

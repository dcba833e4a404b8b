import pg from "pg";
import { PostgresDialect } from "kysely";

const connections = 20;

/** For every connection: detects within half a minute that the database host has disappeared from the network. */
const keepalive = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 5_000,
} as const;

/** For a dedicated connection: limits how long a query waits. */
export const dedicatedConnection = { ...keepalive, query_timeout: 5_000 } as const;

/**
 * The first query of every connection: PostgreSQL then detects as quickly that this host has disappeared, and releases
 * its locks. Not set in the connection's `options`, which poolers reject and the URL may define itself.
 */
export const keepaliveSettings =
  "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

/** Kysely's PostgreSQL dialect. Bigint columns are numbers, as on SQLite. */
export function postgresDialect(url: string): PostgresDialect {
  return new PostgresDialect({ pool: async () => createPool(url) });
}

function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    ...keepalive,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, which its types do not declare
    onConnect: (client) => client.query(keepaliveSettings),
    // After a failover some connections may still lead to the former primary, which is read-only now.
    maxLifetimeSeconds: 300,
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // The pool drops a connection that breaks while idle. One that breaks while in use, such as between two statements of
  // a transaction, fails the next query. Without listeners either event would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => void client.on("error", () => undefined));
  return pool;
}

import pg from "pg";
import { PostgresDialect } from "kysely";
import type { DatabaseLimits } from "../database-limits.ts";
import { FormerPrimaryError } from "../unavailable.ts";
import type { PrimaryWatch } from "./primary-watch.ts";
import { limitTables } from "./table-limits.ts";

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
 * its locks. Not set in the connection's `options`, which poolers reject and the URL may define itself. Node.js cannot
 * set the socket option TCP_USER_TIMEOUT; on this side the limit of a response has the same effect.
 */
export const keepaliveSettings =
  "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3; " +
  "SET tcp_user_timeout = 25000";

/** Kysely's PostgreSQL dialect. Bigint columns are numbers, as on SQLite. */
export function postgresDialect(url: string, limits: DatabaseLimits, watch: PrimaryWatch): PostgresDialect {
  return new PostgresDialect({
    pool: async () => limitTables(createPool(url, limits, watch), limits, watch),
  });
}

function createPool(url: string, limits: DatabaseLimits, watch: PrimaryWatch): pg.Pool {
  const settings = [
    keepaliveSettings,
    `SET lock_timeout = ${limits.lockWaitMs}`,
    `SET statement_timeout = ${limits.statementMs}`,
    `SET idle_in_transaction_session_timeout = ${limits.idleInTransactionMs}`,
  ].join("; ");
  const pool = new pg.Pool({
    Client: watch.Client,
    connectionString: url,
    max: connections,
    ...keepalive,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.responseMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, which its types do not declare
    onConnect: async (client) => {
      await client.query(settings);
      if (watch.isFormer(client))
        throw new FormerPrimaryError("the database's address leads to a read-only server");
    },
    // What moves the database's address may leave a connection open that never reports a change.
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

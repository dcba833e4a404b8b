/**
 * The pool of connections to PostgreSQL.
 *
 * Invariants:
 * - A connection whose outcome is unknown, or that still works on a statement, is closed and never used again.
 * - Changes leave connections to reads (`connection-shares.ts`).
 * - When a change fails because the server is read-only, as a former primary is after a failover, no connection that was
 *   opened until then is used again. New ones lead to the new primary, or are refused.
 */
import {
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from "kysely";
import pg from "pg";
import type { DatabaseLimits } from "../database-limits.ts";
import { OutcomeUnknownError } from "../unavailable.ts";
import { ownConnection, prepareConnection } from "./connection.ts";
import { shareConnections } from "./connection-shares.ts";

/** Three servers fit into PostgreSQL's default of 100 connections, with two dedicated ones each. */
const connections = 30;
/** The others are left to reads. */
const maxChanges = 20;

/** PostgreSQL's `read_only_sql_transaction`. */
const readOnlyTransaction = "25006";

const noRows: PostgresQueryResult<never> = { command: "SELECT", rowCount: 0, rows: [] };

/**
 * Kysely's PostgreSQL dialect with a pool of its own. Bigint columns are numbers, as on SQLite.
 *
 * @param listeners `onReadOnly` is called when a change failed because the server is read-only, `onCommit` with the time
 *   that a commit took, in milliseconds
 */
export function postgresDialect(
  url: string,
  limits: DatabaseLimits,
  listeners: PoolListeners = { onReadOnly: () => undefined, onCommit: () => undefined },
): PostgresDialect {
  return new SharedPoolDialect({ pool: createPool(url, limits, listeners) }, limits.turnMs);
}

class SharedPoolDialect extends PostgresDialect {
  readonly #waitMs: number;

  /** @param waitMs how long a change waits for its turn */
  constructor(config: PostgresDialectConfig, waitMs: number) {
    super(config);
    this.#waitMs = waitMs;
  }

  override createDriver(): Driver {
    return shareConnections(super.createDriver(), { maxChanges, waitMs: this.#waitMs });
  }
}

interface PoolListeners {
  readonly onReadOnly: () => void;
  readonly onCommit: (ms: number) => void;
}

function createPool(
  url: string,
  limits: DatabaseLimits,
  { onReadOnly, onCommit }: PoolListeners,
): PostgresPool {
  const pool = openPool(url, limits);
  /** The connections that were opened since a server was found to be read-only. */
  let usable = new WeakSet<pg.ClientBase>();
  pool.on("connect", (client) => void usable.add(client));

  const uses: ClientUses = {
    isUsable: (client) => usable.has(client),
    reportReadOnly: (client) => {
      if (!usable.has(client)) return;
      usable = new WeakSet();
      onReadOnly();
    },
    onCommit,
  };

  return {
    options: pool.options,
    connect: async () => {
      for (;;) {
        const client = await pool.connect();
        if (usable.has(client)) return wrapClient(client, uses);
        client.release(true);
      }
    },
    end: () => pool.end(),
  };
}

function openPool(url: string, limits: DatabaseLimits): pg.Pool {
  const settings = [
    `SET lock_timeout = ${limits.lockWaitMs}`,
    `SET statement_timeout = ${limits.statementMs}`,
    `SET idle_in_transaction_session_timeout = ${limits.idleInTransactionMs}`,
  ];
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    ...ownConnection,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.responseMs,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, which its types do not declare
    onConnect: (client) => prepareConnection(client, settings),
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

interface ClientUses extends Pick<PoolListeners, "onCommit"> {
  readonly isUsable: (client: pg.ClientBase) => boolean;
  readonly reportReadOnly: (client: pg.ClientBase) => void;
}

function wrapClient(
  client: pg.PoolClient,
  { isUsable, reportReadOnly, onCommit }: ClientUses,
): PostgresPoolClient {
  let inTransaction = false;
  let isBroken = false;

  async function query<R>(
    statement: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    const ends = statement === "commit" || statement === "rollback";
    // The connection is closed, which ends its transaction. A statement would wait behind the one without a response.
    if (isBroken && statement === "rollback") return noRows;
    if (statement === "begin") inTransaction = true;
    const startedAt = performance.now();
    try {
      const result = await client.query(statement, [...parameters]);
      if (statement === "commit") onCommit(performance.now() - startedAt);
      if (ends) inTransaction = false;
      return result as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (error instanceof pg.DatabaseError) {
        if (error.code === readOnlyTransaction) reportReadOnly(client);
        throw error;
      }
      isBroken = true;
      const mayHaveChanged = statement === "commit" || (!inTransaction && !/^select\b/i.test(statement));
      if (!mayHaveChanged || wasNotSent(error)) throw error;
      throw new OutcomeUnknownError("PostgreSQL did not confirm a change", { cause: error });
    }
  }

  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy = false) => client.release(destroy || isBroken || !isUsable(client)),
  };
}

/** `pg` rejects without sending a statement if the connection was broken or closed before. */
function wasNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("not queryable");
}

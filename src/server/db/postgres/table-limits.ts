/**
 * Divides the connections of a pool among tables, so that statements that wait for one locked table leave connections
 * for the others.
 *
 * Invariants:
 * - A client takes a connection with its first statement other than `begin`, and returns it when it is released.
 * - At most `connectionsPerTable` clients have, or wait for, a connection because of the same table. Others wait in line
 *   without a connection, for `connectMs` at most.
 * - A connection whose outcome is unknown, or that still works on a statement, is closed and never used again.
 * - No statement's result comes from a former primary. A statement or transaction that meets one begins again on another
 *   connection, if nothing of it has been done yet.
 */
import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import pg from "pg";
import type { DatabaseLimits } from "../database-limits.ts";
import { FormerPrimaryError, OutcomeUnknownError, TableBusyError } from "../unavailable.ts";
import type { PrimaryWatch } from "./primary-watch.ts";

/** A quarter of the pool: a locked table also blocks transactions that began with another table. */
const connectionsPerTable = 5;

const noRows: PostgresQueryResult<never> = { command: "SELECT", rowCount: 0, rows: [] };

/** Wraps a pool for Kysely, which asks for a client before its first statement is known. */
export function limitTables(pool: pg.Pool, { connectMs }: DatabaseLimits, watch: PrimaryWatch): PostgresPool {
  const takeTurn = createTurns(connectMs);
  return {
    options: pool.options,
    connect: async () => createClient(pool, takeTurn, watch),
    end: () => pool.end(),
  };
}

function createClient(pool: pg.Pool, takeTurn: TakeTurn, watch: PrimaryWatch): PostgresPoolClient {
  let client: pg.PoolClient | null = null;
  let endTurn: (() => void) | null = null;
  let inTransaction = false;
  let isBroken = false;

  /** Takes a connection to the primary, and begins the transaction on it. */
  async function connect(statement: string): Promise<pg.PoolClient> {
    endTurn ??= await takeTurn(findTable(statement));
    for (;;) {
      client = await pool.connect();
      if (inTransaction && !watch.isFormer(client)) await run(client, "begin", []);
      if (!watch.isFormer(client)) return client;
      client.release(true);
      client = null;
    }
  }

  async function run<R>(on: pg.PoolClient, statement: string, parameters: readonly unknown[]) {
    try {
      return (await on.query(statement, [...parameters])) as unknown as PostgresQueryResult<R>;
    } catch (error) {
      if (error instanceof pg.DatabaseError) {
        if (error.code === readOnlyTransaction) watch.reportReadOnly(on);
        throw error;
      }
      isBroken = true;
      const mayHaveChanged = statement === "commit" || (!inTransaction && !/^select\b/i.test(statement));
      if (!mayHaveChanged || wasNotSent(error)) throw error;
      throw new OutcomeUnknownError("PostgreSQL did not confirm a change", { cause: error });
    }
  }

  async function query<R>(
    statement: string,
    parameters: readonly unknown[],
  ): Promise<PostgresQueryResult<R>> {
    if (statement === "begin") {
      inTransaction = true;
      if (!client) return noRows;
    }
    // Without a statement before it, or on a closed connection, there is nothing to end.
    const ends = statement === "commit" || statement === "rollback";
    if (ends && (!client || (isBroken && statement === "rollback"))) {
      inTransaction = false;
      return noRows;
    }
    const isRead = /^select\b/i.test(statement);
    for (let isRepeated = false; ; isRepeated = true) {
      const on = client ?? (await connect(statement));
      const result = await run<R>(on, statement, parameters).catch((error: unknown) => {
        // The former primary has done nothing, so the statement can be repeated.
        if (inTransaction || isRepeated || !isReadOnlyError(error)) throw error;
        return null;
      });
      if (ends) inTransaction = false;
      // A change that a server has confirmed is made, whatever became of that server since.
      if (result && !(isRead && watch.isFormer(on))) return result;
      if (inTransaction || isRepeated)
        throw new FormerPrimaryError("the server of the connection is no longer the primary");
      on.release(true);
      client = null;
    }
  }

  return {
    query: query as PostgresPoolClient["query"],
    release(destroy = false) {
      client?.release(destroy || isBroken || watch.isFormer(client));
      endTurn?.();
    },
  };
}

/** PostgreSQL's `read_only_sql_transaction`. */
const readOnlyTransaction = "25006";

function isReadOnlyError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === readOnlyTransaction;
}

/** `pg` rejects without sending a statement if the connection was broken or closed before. */
function wasNotSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith("not queryable");
}

/** The first table of a statement; for one without a table, the empty string. */
function findTable(statement: string): string {
  return /\b(?:from|into|update)\s+"?(\w+)/i.exec(statement)?.[1] ?? "";
}

/** Waits for a place and returns the function that frees it. Rejects with `TableBusyError` if none is free in time. */
type TakeTurn = (table: string) => Promise<() => void>;

function createTurns(waitMs: number): TakeTurn {
  const tables = new Map<string, { taken: number; readonly waiting: Set<() => void> }>();

  return async (table) => {
    const turns = tables.get(table) ?? { taken: 0, waiting: new Set<() => void>() };
    tables.set(table, turns);
    if (turns.taken < connectionsPerTable) turns.taken += 1;
    else await waitInLine(turns.waiting, waitMs, table);
    return () => {
      const [next] = turns.waiting;
      // A place that is passed on stays taken.
      if (next) next();
      else turns.taken -= 1;
    };
  };
}

function waitInLine(waiting: Set<() => void>, waitMs: number, table: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const proceed = () => {
      clearTimeout(timer);
      waiting.delete(proceed);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(proceed);
      reject(new TableBusyError(`statements on the table "${table}" wait for a lock`));
    }, waitMs);
    waiting.add(proceed);
  });
}

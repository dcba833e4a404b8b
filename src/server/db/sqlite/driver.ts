/**
 * Runs Kysely's queries on one SQLite connection. node:sqlite is synchronous, so the driver never lets SQLite wait: a
 * wait for the write lock of another program would stop the whole server.
 *
 * Invariants:
 * - At most one transaction of this process runs at a time. Statements outside of it wait until it has ended.
 * - A transaction takes SQLite's write lock when it begins, so no later statement of it can find the database locked.
 * - A statement or transaction that finds the database locked tries again until `lockWaitMs` has passed. In between,
 *   everything else goes on; in WAL mode reads never find it locked by a writer.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";

const retryEveryMs = 20;

/** Creates the driver of an open database, whose `busy_timeout` must be 0. */
export function createSqliteDriver(database: DatabaseSync, lockWaitMs: number): Driver {
  /** Resolves when the running transaction ends; null without one. */
  let ended: PromiseWithResolvers<void> | null = null;
  let owner: DatabaseConnection | null = null;

  /** Runs the work when no other transaction runs and the database is not locked. Throws SQLITE_BUSY after the limit. */
  async function runUnlocked<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + lockWaitMs;
    for (;;) {
      if (ended) {
        await ended.promise;
        continue;
      }
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw error;
      }
      await pause(retryEveryMs);
    }
  }

  function endTransaction(): void {
    owner = null;
    ended?.resolve();
    ended = null;
  }

  function rollBack(): void {
    try {
      // On a full disk SQLite rolls back by itself. Another rollback would fail and hide the cause.
      if (database.isTransaction) database.exec("rollback");
    } finally {
      endTransaction();
    }
  }

  function createConnection(): DatabaseConnection {
    const connection: DatabaseConnection = {
      executeQuery: async <R>(query: CompiledQuery) =>
        owner === connection ? run<R>(database, query) : runUnlocked(() => run<R>(database, query)),
      streamQuery: () => {
        throw new Error("SQLite's driver does not stream");
      },
    };
    return connection;
  }

  return {
    init: async () => undefined,
    acquireConnection: async () => createConnection(),
    releaseConnection: async (connection) => {
      if (owner === connection) rollBack();
    },
    beginTransaction: (connection) =>
      runUnlocked(() => {
        database.exec("begin immediate");
        owner = connection;
        ended = Promise.withResolvers();
      }),
    commitTransaction: async () => {
      database.exec("commit");
      endTransaction();
    },
    rollbackTransaction: async () => rollBack(),
    destroy: async () => database.close(),
  };
}

function run<R>(database: DatabaseSync, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = database.prepare(sql);
  const bound = parameters as SQLInputValue[];
  if (statement.columns().length > 0) return { rows: statement.all(...bound) as R[] };
  const { changes, lastInsertRowid } = statement.run(...bound);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/** SQLITE_BUSY; the low byte of an extended code is the primary one. */
export function isBusy(error: unknown): boolean {
  return ((error as { readonly errcode?: number } | null)?.errcode ?? 0) % 256 === 5;
}

/**
 * Runs Kysely's queries on two SQLite connections: one writes, the other one reads outside of transactions. node:sqlite is
 * synchronous, so the driver never lets SQLite wait: a wait for the write lock of another program would stop the whole server.
 *
 * Invariants:
 * - At most one transaction of this process runs at a time. Changes outside of it wait until it has ended; reads do not wait.
 * - A transaction takes SQLite's write lock when it begins, so no later statement of it can find the database locked.
 * - Nothing is acknowledged before it is on disk. SQLite itself does not wait for the disk (`synchronous = NORMAL`), which
 *   would stop the whole server: the driver syncs SQLite's `-wal` file in a thread. Until that has ended, changes wait as
 *   for a transaction, and reads see the state before it (reading-connection.ts).
 * - A statement or transaction that finds the database locked tries again until `lockWaitMs` has passed. In between,
 *   everything else goes on; in WAL mode reads never find it locked by a writer.
 */
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, Driver } from "kysely";
import { isRead } from "../is-read.ts";
import { OutcomeUnknownError } from "../unavailable.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { ReadingConnection } from "./reading-connection.ts";
import { createStatements } from "./statements.ts";
import type { WalFile } from "./wal-file.ts";

const retryEveryMs = 20;

export interface SqliteDriverOptions {
  readonly lockWaitMs: number;
  /** Null: the database is read-only. */
  readonly wal: WalFile | null;
  /** Null: the database is read-only. */
  readonly checkpoints: Checkpoints | null;
  /** Null: the database is read-only. */
  readonly reader: ReadingConnection | null;
  /** Receives how long a commit took until it was on disk, in milliseconds. */
  readonly onCommit: (ms: number) => void;
  /** Receives each text that a transaction has passed to SQL's `publish_event`, after its commit. */
  readonly onPublished: (text: string) => void;
}

/** Creates the driver of an open database, whose `busy_timeout` must be 0. */
export function createSqliteDriver(
  database: DatabaseSync,
  { lockWaitMs, wal, checkpoints, reader, onCommit, onPublished }: SqliteDriverOptions,
): Driver {
  /** Of the running transaction. */
  let published: string[] = [];
  database.function("publish_event", (text) => {
    published.push(String(text));
    return null;
  });
  /** Resolves when the running transaction ends; null without one. */
  let ended: PromiseWithResolvers<void> | null = null;
  let owner: DatabaseConnection | null = null;
  const changes = createChangeCounter(database);
  const statements = createStatements(database);

  /**
   * Runs the work when no other transaction runs, unless it does not wait for one, and the database is not locked. Throws
   * SQLITE_BUSY after the limit.
   */
  async function runUnlocked<T>(work: () => T, waits = true): Promise<T> {
    const deadline = performance.now() + lockWaitMs;
    for (;;) {
      if (ended && waits) {
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

  /**
   * Runs a change outside of a transaction.
   *
   * @param changesRows false: it may need the database for itself, which a reader's state would prevent
   */
  async function runDurably<T>(change: () => T, changesRows: boolean): Promise<T> {
    let startedAt = 0;
    let hasChanged = false;
    const result = await runUnlocked(() => {
      startedAt = performance.now();
      if (changesRows) reader?.holdState();
      try {
        const changed = change();
        hasChanged = changes.takeHasChanged();
        if (hasChanged) ended = Promise.withResolvers();
        return changed;
      } finally {
        if (!hasChanged) reader?.release();
      }
    });
    if (hasChanged) await sync(startedAt);
    return result;
  }

  /** Waits until a commit is on disk, and lets others continue. */
  async function sync(startedAt: number): Promise<void> {
    try {
      await wal?.sync();
    } catch (error) {
      throw new OutcomeUnknownError("SQLite's changes could not be written to disk", { cause: error });
    } finally {
      endTransaction();
      if (wal) checkpoints?.noteCommit(wal.size());
      onCommit(performance.now() - startedAt);
    }
  }

  function endTransaction(): void {
    owner = null;
    reader?.release();
    ended?.resolve();
    ended = null;
  }

  function rollBack(): void {
    published = [];
    try {
      // On a full disk SQLite rolls back by itself. Another rollback would fail and hide the cause.
      if (database.isTransaction) database.exec("rollback");
    } finally {
      endTransaction();
    }
  }

  function createConnection(): DatabaseConnection {
    const connection: DatabaseConnection = {
      executeQuery: async <R>(query: CompiledQuery) => {
        const work = () => {
          changes.note(query.sql);
          return statements.run<R>(query);
        };
        if (owner === connection) return work();
        if (!isRead(query.sql)) return runDurably(work, isRowChange(query.sql));
        return reader ? runUnlocked(() => reader.run<R>(query), false) : runUnlocked(work);
      },
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
      const startedAt = performance.now();
      const hasChanged = changes.takeHasChanged();
      if (hasChanged) reader?.holdState();
      database.exec("commit");
      owner = null;
      const committed = published;
      published = [];
      if (hasChanged) await sync(startedAt);
      else endTransaction();
      for (const text of committed) onPublished(text);
    },
    // After a commit that was not written to disk, another transaction may run already.
    rollbackTransaction: async (connection) => {
      if (owner === connection) rollBack();
    },
    destroy: async () => {
      // SQLite deletes the `-wal` file when the last connection is closed.
      await checkpoints?.[Symbol.asyncDispose]();
      reader?.close();
      database.close();
      await wal?.close();
    },
  };
}

interface ChangeCounter {
  /** Notes a statement before it runs. */
  note(statement: string): void;
  /** Whether anything may have been written since the last call. */
  takeHasChanged(): boolean;
}

/** A disk that is slow is slow for a sync without changes, too. */
function createChangeCounter(database: DatabaseSync): ChangeCounter {
  const total = database.prepare("SELECT total_changes() AS rows");
  const countRows = () => total.get()?.["rows"];
  let before = countRows();
  let hasOther = false;
  return {
    note: (statement) => {
      // SQLite counts rows that are inserted, updated and deleted, and no changes of tables.
      hasOther ||= !isRead(statement) && !isRowChange(statement);
    },
    takeHasChanged: () => {
      const rows = countRows();
      const hasChanged = hasOther || rows !== before;
      before = rows;
      hasOther = false;
      return hasChanged;
    },
  };
}

const isRowChange = (statement: string) => /^\s*(?:insert|update|delete)\b/i.test(statement);

/** SQLITE_BUSY; the low byte of an extended code is the primary one. */
export function isBusy(error: unknown): boolean {
  return ((error as { readonly errcode?: number } | null)?.errcode ?? 0) % 256 === 5;
}

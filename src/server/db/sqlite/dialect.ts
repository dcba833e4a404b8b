import { DatabaseSync } from "node:sqlite";
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { sqliteLockWaitMs } from "../database-limits.ts";
import { createSqliteDriver } from "./driver.ts";

/** The driver itself lets statements wait for a transaction. Kysely would let them wait for its lock, too. */
class SharedConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** SQLite rolls back changes of tables, so all migrations of a start run in one transaction, as on PostgreSQL. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's SQLite dialect over node:sqlite. WAL with synchronous FULL: committed data survives a power cut. */
export function sqliteDialect(path: string, lockWaitMs = sqliteLockWaitMs): Dialect {
  return createDialect(() => open(path, lockWaitMs), lockWaitMs);
}

/** Leaves the file as it is. */
export function readOnlySqliteDialect(path: string, lockWaitMs = sqliteLockWaitMs): Dialect {
  return createDialect(() => new DatabaseSync(path, { readOnly: true, timeout: lockWaitMs }), lockWaitMs);
}

function createDialect(openFile: () => DatabaseSync, lockWaitMs: number): Dialect {
  return {
    createDriver: () => createSqliteDriver(openFile(), lockWaitMs),
    createAdapter: () => new SharedConnectionAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Waits for a locked database synchronously: nothing else runs before the start. */
function open(path: string, timeout: number): DatabaseSync {
  const database = new DatabaseSync(path, { timeout });
  for (const pragma of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    // Deleted secrets do not stay in free space of the file.
    "secure_delete = ON",
    "busy_timeout = 0",
  ]) {
    database.exec(`PRAGMA ${pragma}`);
  }
  return database;
}

import { DatabaseSync } from "node:sqlite";
import { type Dialect, type Driver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { sqliteLockWaitMs } from "../database-limits.ts";
import { smallWalBytes, startCheckpoints } from "./checkpoints.ts";
import { createSqliteDriver } from "./driver.ts";
import { createReadingConnection } from "./reading-connection.ts";
import { openWalFile, type SyncFile } from "./wal-file.ts";

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

export interface SqliteDialectOptions {
  readonly lockWaitMs?: number | undefined;
  /** Receives how long a commit took, in milliseconds. */
  readonly onCommit?: ((ms: number) => void) | undefined;
  readonly syncFile?: SyncFile | undefined;
  /** Receives what a committed transaction has published (`driver.ts`). */
  readonly onPublished?: ((text: string) => void) | undefined;
}

/** Kysely's SQLite dialect over node:sqlite, in WAL mode. Committed data survives a power cut (driver.ts). */
export function sqliteDialect(
  path: string,
  {
    lockWaitMs = sqliteLockWaitMs,
    onCommit = () => undefined,
    syncFile,
    onPublished = () => undefined,
  }: SqliteDialectOptions = {},
): Dialect {
  return createDialect(() => {
    const database = open(path, lockWaitMs);
    const wal = openWalFile(path, syncFile);
    const reader = createReadingConnection(new DatabaseSync(path, { readOnly: true, timeout: 0 }));
    const checkpoints = startCheckpoints(path);
    return createSqliteDriver(database, { lockWaitMs, wal, checkpoints, reader, onCommit, onPublished });
  });
}

/** Leaves the file as it is. */
export function readOnlySqliteDialect(path: string, lockWaitMs = sqliteLockWaitMs): Dialect {
  return createDialect(() => {
    const database = new DatabaseSync(path, { readOnly: true, timeout: lockWaitMs });
    return createSqliteDriver(database, {
      lockWaitMs,
      wal: null,
      checkpoints: null,
      reader: null,
      onCommit: () => undefined,
      onPublished: () => undefined,
    });
  });
}

function createDialect(createDriver: () => Driver): Dialect {
  return {
    createDriver,
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
    // The driver syncs.
    "synchronous = NORMAL",
    "foreign_keys = ON",
    // Deleted secrets do not stay in free space of the file.
    "secure_delete = ON",
    "busy_timeout = 0",
    // A thread does it (checkpoints.ts).
    "wal_autocheckpoint = 0",
    `journal_size_limit = ${smallWalBytes}`,
  ]) {
    database.exec(`PRAGMA ${pragma}`);
  }
  // Creates the `-wal` file.
  database.exec("SELECT 1 FROM sqlite_schema");
  return database;
}

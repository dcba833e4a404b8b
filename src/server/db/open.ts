import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Kysely, sql } from "kysely";
import { secureDataFolder } from "./data-folder.ts";
import { readUsableVersion } from "./database-version.ts";
import { type DatabaseLimits, defaultLimits, migrationLimits } from "./database-limits.ts";
import { createLocalEvents, type Events } from "./events.ts";
import { createLocalLocks, type Locks } from "./locks.ts";
import { backUpBeforeMigration, type MigrationBackup } from "./backups/before-migration.ts";
import { migrate, type Migrations, migrations as allMigrations } from "./migrate.ts";
import { dumpPostgres } from "./backups/postgres-dump.ts";
import { createPostgresEvents } from "./postgres/events.ts";
import { createPostgresLocks } from "./postgres/locks.ts";
import { postgresDialect } from "./postgres/pool.ts";
import { createPostgresRateLimiters } from "./postgres/rate-limiters.ts";
import { type CreateRateLimiter, createLocalRateLimiter } from "./rate-limiters.ts";
import type { Schema } from "./schema/schema.ts";
import { fillPages, fillTemporaryFile, rewriteTime } from "./storage/probe-statements.ts";
import { readOnlySqliteDialect, sqliteDialect, type SqliteDialectOptions } from "./sqlite/dialect.ts";
import type { SyncFile } from "./sqlite/wal-file.ts";
import { copySqlite, createPrivateFile } from "./sqlite/database-file.ts";

export type Db = Kysely<Schema>;

export interface Database extends AsyncDisposable {
  readonly db: Db;
  readonly events: Events;
  readonly locks: Locks;
  readonly createRateLimiter: CreateRateLimiter;
  /** Commits a small change, which needs space on the database's disk, and keeps none. Rejects if that is impossible. */
  readonly probeWrite: () => Promise<void>;
  /**
   * Overwrites what deleted or replaced rows have left in the file. On PostgreSQL it does nothing: there, old rows end
   * with the next vacuum.
   */
  readonly eraseDeleted: () => Promise<void>;
}

export interface DatabaseOptions {
  /** The folder of `peerdeck.sqlite`, used without a URL, and of the copies before migrations. */
  readonly dataDir: string;
  /** `postgres://…`; several servers may share it. Null: SQLite. */
  readonly url: string | null;
  readonly onError: (error: unknown) => void;
  /** Receives how long a commit took, in milliseconds. */
  readonly onCommit?: (ms: number) => void;
  /** How SQLite's changes are written to disk; for tests. */
  readonly syncFile?: SyncFile | undefined;
  /** Limits that differ from the default; for tests. */
  readonly limits?: Partial<DatabaseLimits> | undefined;
  /** Receives a sentence about the backup before a migration that changes an existing database. */
  readonly onMigration?: (message: string) => void;
  /** Whether an existing database is migrated without a copy; the default is false. */
  readonly migratesWithoutBackup?: boolean;
  /** The migrations of this version; tests add one. */
  readonly migrations?: Migrations;
}

/**
 * Opens the database and migrates its tables. An existing database is copied before a migration. Rejects if the
 * database is unreachable, or the copy or the migration fails.
 *
 * @throws {DatabaseVersionError} if the database is newer than this version, or older than it can migrate. The database
 *   is unchanged then.
 */
export async function openDatabase({
  dataDir,
  url,
  onError,
  onCommit = () => undefined,
  syncFile,
  limits,
  onMigration = () => undefined,
  migratesWithoutBackup = false,
  migrations = allMigrations,
}: DatabaseOptions): Promise<Database> {
  const backUp: BackUp = async (copy) => {
    const done = migratesWithoutBackup
      ? "No backup is made, because MIGRATE_WITHOUT_BACKUP is set."
      : `Its backup is ${await backUpBeforeMigration({ dataDir, ...copy })}.`;
    onMigration(`The database will be migrated. ${done}`);
  };
  return url === null
    ? openSqlite(dataDir, { lockWaitMs: limits?.lockWaitMs, onCommit, syncFile, migrations, backUp })
    : openPostgres(url, { onError, onCommit, limits: { ...defaultLimits, ...limits }, migrations, backUp });
}

type BackUp = (copy: Omit<MigrationBackup, "dataDir">) => Promise<void>;

interface OpenOptions {
  readonly onCommit: (ms: number) => void;
  readonly migrations: Migrations;
  readonly backUp: BackUp;
}

async function openSqlite(
  dataDir: string,
  { migrations, backUp, ...options }: OpenOptions & SqliteDialectOptions,
): Promise<Database> {
  await secureDataFolder(dataDir);
  const path = join(dataDir, "peerdeck.sqlite");
  // SQLite gives its other files the mode of this one.
  await createPrivateFile(path);
  await assertUsableFile(path, migrations);
  const events = createLocalEvents();
  const db = new Kysely<Schema>({
    dialect: sqliteDialect(path, { ...options, onPublished: events.onCommitted }),
  });
  await migrate(db, migrations, (migration) =>
    backUp({ migration, extension: "sqlite", copy: (target) => copySqlite(path, target) }),
  );
  return {
    db,
    events,
    locks: createLocalLocks(),
    createRateLimiter: createLocalRateLimiter,
    probeWrite: () => db.transaction().execute(fillPages),
    eraseDeleted: async () => {
      await sql`VACUUM`.execute(db);
      await emptyWal(db);
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

/** Waits for a checkpoint of the thread, beside which SQLite empties nothing. */
async function emptyWal(db: Db): Promise<void> {
  for (let attempts = 0; attempts < 250; attempts += 1) {
    const { rows } = await sql<{ readonly busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(db);
    if (rows[0]?.busy === 0) return;
    await pause(20);
  }
  throw new Error("the database's log could not be emptied, because another program reads it");
}

/** Throws `DatabaseVersionError` before the file is opened for writing, which alone may change it. */
async function assertUsableFile(path: string, migrations: Migrations): Promise<void> {
  await using db = new Kysely<Schema>({ dialect: readOnlySqliteDialect(path) });
  await readUsableVersion(db, Object.keys(migrations));
}

async function openPostgres(
  url: string,
  {
    onError,
    onCommit,
    limits,
    migrations,
    backUp,
  }: OpenOptions & Pick<DatabaseOptions, "onError"> & { readonly limits: DatabaseLimits },
): Promise<Database> {
  const migrating = new Kysely<Schema>({ dialect: postgresDialect(url, migrationLimits) });
  await migrate(migrating, migrations, (migration) =>
    backUp({ migration, extension: "pgdump", copy: (target) => dumpPostgres(url, target) }),
  );
  await migrating.destroy();
  const db = new Kysely<Schema>({
    dialect: postgresDialect(url, limits, { onReadOnly: () => events.reopen(), onCommit }),
  });
  const events = await createPostgresEvents({ url, db, onError });
  const locks = createPostgresLocks(url, onError);
  return {
    db,
    events,
    locks,
    createRateLimiter: createPostgresRateLimiters(db),
    probeWrite: () =>
      db.transaction().execute(async (tx) => {
        await rewriteTime(tx);
        await fillTemporaryFile(tx);
      }),
    eraseDeleted: async () => undefined,
    async [Symbol.asyncDispose]() {
      await locks[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

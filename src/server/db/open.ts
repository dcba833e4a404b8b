import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { createLocalEvents, type Events } from "./events.ts";
import { createLocalLocks, type Locks } from "./locks.ts";
import { up as firstTables } from "./migrations/0001-first-tables.ts";
import { up as observations } from "./migrations/0002-observations.ts";
import { up as push } from "./migrations/0003-push.ts";
import { up as contactMessages } from "./migrations/0004-contact-messages.ts";
import { up as peeringsByKey } from "./migrations/0005-peerings-by-key.ts";
import { postgresDialect } from "./postgres.ts";
import { createPostgresEvents } from "./postgres-events.ts";
import { createPostgresLocks } from "./postgres-locks.ts";
import type { Schema } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";

export type Db = Kysely<Schema>;

export interface Database extends AsyncDisposable {
  readonly db: Db;
  readonly events: Events;
  readonly locks: Locks;
}

export interface DatabaseOptions {
  /** The folder of `peerdeck.sqlite`, used without a URL. */
  readonly dataDir: string;
  /** `postgres://…`; several servers may share it. Null: SQLite. */
  readonly url: string | null;
  readonly onError: (error: unknown) => void;
}

/** Opens the database and migrates its tables. Rejects if the database is unreachable or the migration fails. */
export async function openDatabase({ dataDir, url, onError }: DatabaseOptions): Promise<Database> {
  return url === null ? openSqlite(dataDir) : openPostgres(url, onError);
}

async function openSqlite(dataDir: string): Promise<Database> {
  await mkdir(dataDir, { recursive: true });
  const db = new Kysely<Schema>({ dialect: sqliteDialect(join(dataDir, "peerdeck.sqlite")) });
  await migrate(db);
  return {
    db,
    events: createLocalEvents(),
    locks: createLocalLocks(),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function openPostgres(url: string, onError: (error: unknown) => void): Promise<Database> {
  const db = new Kysely<Schema>({ dialect: postgresDialect(url) });
  await migrate(db);
  const events = await createPostgresEvents(url, db, onError);
  const locks = createPostgresLocks(url, onError);
  return {
    db,
    events,
    locks,
    async [Symbol.asyncDispose]() {
      await locks[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await db.destroy();
    },
  };
}

async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () => ({
        "0001-first-tables": { up: firstTables },
        "0002-observations": { up: observations },
        "0003-push": { up: push },
        "0004-contact-messages": { up: contactMessages },
        "0005-peerings-by-key": { up: peeringsByKey },
      }),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw new Error("the database migration failed", { cause: error });
  }
}

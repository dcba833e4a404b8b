/** A database as an earlier version has left it, with rows in every table. */
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Dialect, Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { migrationLimits } from "../../../src/server/db/database-limits.ts";
import { migrations } from "../../../src/server/db/migrate.ts";
import { postgresDialect } from "../../../src/server/db/postgres/dialect.ts";
import { createPrimaryWatch } from "../../../src/server/db/postgres/primary-watch.ts";
import { sqliteDialect } from "../../../src/server/db/sqlite/dialect.ts";
import { createTestDatabase, type TestDatabase } from "../../support/databases.ts";
import { scratchFolder } from "../../support/scratch-folder.ts";

export type Rows = Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>;

export interface OlderDatabase extends AsyncDisposable {
  readonly at: TestDatabase;
  /** Applies the migrations up to this one. */
  migrateTo(migration: keyof typeof migrations): Promise<void>;
  insert(rows: Rows): Promise<void>;
  /** Returns all rows of a table, ordered by its first columns. */
  read(table: string): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
  /** Closes the connections, so that a server can open the database. */
  close(): Promise<void>;
}

function keyOf(row: Readonly<Record<string, unknown>>): string {
  return Object.values(row).slice(0, 3).join(" ");
}

/** Creates an empty database, to which no migration was applied. */
export async function createOlderDatabase(kind: TestDatabase["kind"]): Promise<OlderDatabase> {
  await using parts = new AsyncDisposableStack();
  let at: TestDatabase;
  let dialect: Dialect;
  if (kind === "postgres") {
    const { url } = parts.use(await createTestDatabase());
    at = { kind, url };
    dialect = postgresDialect(url, migrationLimits, createPrimaryWatch());
  } else {
    const dataDir = await mkdtemp(join(scratchFolder(), "peerdeck-older-"));
    parts.defer(() => rm(dataDir, { recursive: true }));
    at = { kind, dataDir };
    dialect = sqliteDialect(join(dataDir, "peerdeck.sqlite"));
  }
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect });
  let isOpen = true;
  async function close(): Promise<void> {
    if (isOpen) await db.destroy();
    isOpen = false;
  }
  parts.defer(close);
  const all = parts.move();
  return {
    at,
    migrateTo: async (migration) => {
      const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
      const { error } = await migrator.migrateTo(migration);
      if (error) throw new Error(`${migration} failed`, { cause: error });
    },
    insert: async (rows) => {
      for (const [table, values] of Object.entries(rows)) {
        await db.insertInto(table).values(values).execute();
      }
    },
    read: async (table) => {
      const rows = await db.selectFrom(table).selectAll().execute();
      return rows.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
    },
    close,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

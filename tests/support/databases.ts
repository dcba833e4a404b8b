import { randomUUID } from "node:crypto";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";
import { type Database, openDatabase } from "../../src/server/db/open.ts";
import { createScratchFolder } from "./scratch-folder.ts";
import { isEveryCase, isInShareOfCommit } from "./share-of-commit.ts";

/** The location of a test's database: a directory for SQLite's file, or a PostgreSQL URL. */
export type TestDatabase =
  | { readonly kind: "sqlite"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: string };

/** A PostgreSQL database. It is dropped on disposal, even with open connections. */
export interface PostgresTestDatabase extends AsyncDisposable {
  readonly url: string;
}

/** A server's variables for a PostgreSQL database. Servers that share it need the same secret. */
export function postgresVariables(url: string) {
  return { DATABASE_URL: url, PEERDECK_SECRET: Buffer.alloc(32, 7).toString("base64") } as const;
}

/** The name of the migrated PostgreSQL database without rows. */
export const postgresTemplate = "migrated";

/** Creates a PostgreSQL database, by default an empty one, which the first server that opens it migrates. */
export async function createTestDatabase(template = "template1"): Promise<PostgresTestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runSql(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => void (await runSql(adminUrl, `drop database ${name} with (force)`)),
  };
}

export interface DatabaseSuiteOptions {
  /** When the suite runs on PostgreSQL, too: `always`, with one of three commits, or with EVERY_CASE=1 alone. */
  readonly postgres: "always" | "share" | "campaigns";
}

const both = ["sqlite", "postgres"] as const;

/** SQLite, and PostgreSQL with one of three commits, another one for each name. */
export function shareOfDatabases(name: string): ReadonlyArray<TestDatabase["kind"]> {
  return isInShareOfCommit(name) ? both : ["sqlite"];
}

type DatabaseTests = (openDatabase: () => Promise<TestDatabase>) => void;

/**
 * Runs a block of tests on SQLite, and on PostgreSQL, too, when the options say so. The rule: code whose locks, transactions,
 * events or limits differ between the two is tested on both always. The suite that alone executes a statement runs on both
 * with a share of the commits, another one for each name. Any other suite runs on both in campaigns.
 *
 * Each call of `openDatabase` creates another migrated database without rows. All of them are removed after the block.
 */
export function describeWithDatabase(
  name: string,
  options: DatabaseSuiteOptions,
  tests: DatabaseTests,
): void {
  const isAlways = isEveryCase() || options.postgres === "always";
  const share = options.postgres === "share" ? shareOfDatabases(name) : (["sqlite"] as const);
  const kinds = isAlways ? both : share;
  describe.each(kinds)(`${name} on %s`, (kind) => {
    const opened = new AsyncDisposableStack();
    afterAll(() => opened.disposeAsync());
    tests(kind === "sqlite" ? () => openSqlite(opened) : () => openPostgres(opened));
  });
}

/** Creates a migrated SQLite database without rows, which is removed with the stack. */
export async function openSqlite(opened: AsyncDisposableStack): Promise<TestDatabase> {
  const dataDir = await createScratchFolder((remove) => opened.defer(remove));
  await copyFile(inject("sqliteTemplate"), path.join(dataDir, "peerdeck.sqlite"));
  return { kind: "sqlite", dataDir };
}

async function openPostgres(opened: AsyncDisposableStack): Promise<TestDatabase> {
  const { url } = opened.use(await createTestDatabase(postgresTemplate));
  return { kind: "postgres", url };
}

/** Opens the database as a server does; an older one without a backup, whose folder PostgreSQL's tests do not have. */
export function openAsServer(
  at: TestDatabase,
  onError: (error: unknown) => void = () => undefined,
): Promise<Database> {
  const place = at.kind === "sqlite" ? { dataDir: at.dataDir, url: null } : { dataDir: "", url: at.url };
  return openDatabase({ ...place, onError, migratesWithoutBackup: true });
}

/** Runs statements in a transaction of another program, which stays open until it is disposed. */
export async function leaveOpen(url: string, statements: string): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`BEGIN; ${statements}`);
  return { [Symbol.asyncDispose]: () => client.end() };
}

/** Runs a statement on a connection of its own, and returns the rows. */
export async function runSql<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

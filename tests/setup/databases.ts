import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, describe, inject } from "vitest";

/** Where a test's database is: a directory that SQLite puts its file in, or a PostgreSQL URL. */
export type TestDatabase =
  | { readonly kind: "sqlite"; readonly dataDir: string }
  | { readonly kind: "postgres"; readonly url: string };

/** An empty PostgreSQL database that is dropped on disposal, open connections or not. */
export interface PostgresTestDatabase extends AsyncDisposable {
  readonly url: string;
}

export async function createTestDatabase(): Promise<PostgresTestDatabase> {
  const adminUrl = inject("postgresAdminUrl");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runSql(adminUrl, `create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => runSql(adminUrl, `drop database ${name} with (force)`),
  };
}

/**
 * Describes tests once for each dialect. What the callback receives opens a fresh, empty database as often
 * as it is called; all of them are removed when the block is over.
 */
export function describeEachDatabase(
  name: string,
  tests: (openDatabase: () => Promise<TestDatabase>) => void,
): void {
  describe.each(["sqlite", "postgres"] as const)(`${name} on %s`, (kind) => {
    const opened = new AsyncDisposableStack();
    afterAll(() => opened.disposeAsync());
    tests(kind === "sqlite" ? () => openSqlite(opened) : () => openPostgres(opened));
  });
}

async function openSqlite(opened: AsyncDisposableStack): Promise<TestDatabase> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "peerdeck-sqlite-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  return { kind: "sqlite", dataDir };
}

async function openPostgres(opened: AsyncDisposableStack): Promise<TestDatabase> {
  const { url } = opened.use(await createTestDatabase());
  return { kind: "postgres", url };
}

async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

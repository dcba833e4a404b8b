/** The databases that the benchmark compares. Each size of each has a place of its own. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { DatabaseOptions } from "#server/db/open.ts";
import { startPostgresCluster } from "#tests/support/postgres-cluster.ts";
import { readParent } from "./cpu.ts";

export type DatabaseKind = "sqlite" | "postgres";

export interface ScaleDatabase extends AsyncDisposable {
  readonly at: Pick<DatabaseOptions, "dataDir" | "url">;
  /** The variables of the server. */
  readonly settings: Readonly<Record<string, string>>;
  /** PostgreSQL's first process. */
  readonly pid: number | null;
  readonly readSizes: () => Promise<DatabaseSizes>;
  /** Updates the statistics that a database of that age has. */
  readonly analyze: () => Promise<void>;
  /** Returns the rows of a statement. */
  readonly query: (statement: string) => Promise<Rows>;
}

export type Rows = ReadonlyArray<Record<string, unknown>>;

/** In bytes. */
export interface DatabaseSizes {
  readonly data: number;
  /** Null for PostgreSQL, which has a log of the size that it is set to. */
  readonly log: number | null;
}

export async function createDatabase(kind: DatabaseKind, dataDir: string): Promise<ScaleDatabase> {
  return kind === "sqlite" ? createSqlite(dataDir) : createPostgres();
}

function createSqlite(dataDir: string): ScaleDatabase {
  const sizeOf = async (file: string) => (await stat(join(dataDir, file))).size;
  return {
    at: { dataDir, url: null },
    settings: {},
    pid: null,
    readSizes: async () => ({
      data: await sizeOf("peerdeck.sqlite"),
      log: await sizeOf("peerdeck.sqlite-wal"),
    }),
    analyze: async () => undefined,
    query: async (statement) => {
      using database = new DatabaseSync(join(dataDir, "peerdeck.sqlite"), { readOnly: true });
      return database.prepare(statement).all();
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** A cluster of its own, so that its processes work for one server. It writes as a provider's does. */
async function createPostgres(): Promise<ScaleDatabase> {
  const settings = { fsync: "on", synchronous_commit: "on", full_page_writes: "on" };
  await using parts = new AsyncDisposableStack();
  const cluster = parts.use(await startPostgresCluster({ settings }));
  const url = new URL(cluster.adminUrl);
  url.pathname = "/peerdeck";
  await query(cluster.adminUrl, "CREATE DATABASE peerdeck");
  const pid = await findFirstProcess(url.href);
  const all = parts.move();
  return {
    at: { dataDir: "", url: url.href },
    settings: { DATABASE_URL: url.href, PEERDECK_SECRET: Buffer.alloc(32, 7).toString("base64") },
    pid,
    readSizes: async () => {
      const [row] = await query(url.href, "SELECT pg_database_size('peerdeck') AS size");
      return { data: Number(row?.["size"]), log: null };
    },
    query: (statement) => query(url.href, statement),
    analyze: async () => void (await query(url.href, "ANALYZE")),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function query(url: string, statement: string): Promise<Rows> {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(statement)).rows);
}

function findFirstProcess(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ readonly pid: number }>("SELECT pg_backend_pid() AS pid");
    return readParent(Number(rows[0]?.pid));
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

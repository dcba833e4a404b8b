/** Dumps of a PostgreSQL database, with PostgreSQL's own programs. Each function throws with the reason that they printed. */
import { rm } from "node:fs/promises";
import pg from "pg";
import { runProcess } from "#system/processes.ts";
import { createPrivateFile } from "../sqlite/database-file.ts";

/** Like a migration, the dump does not wait long for a table that another program has locked. */
const lockWaitMs = 10_000;
/** The names of the migrations, or what went wrong. */
const maxOutputBytes = 16 * 1024;

/** Writes a database to a new file. `pg_dump` must not be older than the server. If it fails, nothing is left. */
export async function dumpPostgres(url: string, path: string): Promise<void> {
  await createPrivateFile(path);
  try {
    await runWith(url, "pg_dump", ["--format=custom", `--lock-wait-timeout=${lockWaitMs}`, `--file=${path}`]);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Returns the names of the migrations that a dumped database has; none if it is not one of Peerdeck. */
export async function readDumpedMigrations(path: string): Promise<readonly string[]> {
  const rows = await run("pg_restore", ["--data-only", "--table=kysely_migration", "--file=-", path]);
  return [...rows.matchAll(/^(\S+)\t/gm)].map(([, name = ""]) => name);
}

/** Restores a dump into an empty database, in one transaction. */
export async function restorePostgres(url: string, path: string): Promise<void> {
  await runWith(url, "pg_restore", ["--no-owner", "--single-transaction", path]);
}

/** Returns the names of all tables of a database, those of other programs too. */
export async function listPostgresTables(url: string): Promise<readonly string[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ tablename: string }>(
      "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY tablename",
    );
    return rows.map(({ tablename }) => tablename);
  } finally {
    await client.end();
  }
}

async function runWith(url: string, program: string, args: readonly string[]): Promise<void> {
  const withoutPassword = new URL(url);
  const password = decodeURIComponent(withoutPassword.password);
  withoutPassword.password = "";
  // Every user of the host can read the arguments of a program, and only its owner the environment.
  const environment = { ...process.env, ...(password !== "" && { PGPASSWORD: password }) };
  await run(program, ["--no-password", `--dbname=${withoutPassword.href}`, ...args], environment);
}

/** Returns what the program printed. */
async function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const { code, stdout, stderr } = await runProcess(program, args, {
    cwd: process.cwd(),
    environment,
    timeoutMs: null,
    outputLimitBytes: maxOutputBytes,
  }).catch((error: Error) => {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
    throw cause?.code === "ENOENT"
      ? new Error(`the program ${program} is not installed`, { cause: error })
      : error;
  });
  if (code === 0) return stdout;
  throw new Error(joinLines(stderr) || `${program} ended with ${code}`);
}

function joinLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ");
}

/** Dumps of a PostgreSQL database, with PostgreSQL's own programs. Each function throws with the reason that they printed. */
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type pg from "pg";
import { syncPath } from "#system/durable-file.ts";
import { runProcess } from "#system/processes.ts";
import { createPrivateFile } from "../sqlite/database-file.ts";

/** Like a migration, the dump does not wait long for a table that another program has locked. */
const lockWaitMs = 10_000;
/** The names of the migrations, or what went wrong. */
const maxOutputBytes = 16 * 1024;

/**
 * Writes a database to a new file, which appears under its name complete and on disk. `pg_dump` must not be older than the
 * server. If it fails, nothing is left.
 */
export async function dumpPostgres(url: string, path: string): Promise<void> {
  const temporary = `${path}.new`;
  try {
    await createPrivateFile(temporary);
    await runWith(url, "pg_dump", [
      "--format=custom",
      `--lock-wait-timeout=${lockWaitMs}`,
      `--file=${temporary}`,
    ]);
    await syncPath(temporary);
    await rename(temporary, path);
    await syncPath(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Returns the names of the migrations that a dumped database has; none if it is not one of Peerdeck. */
export async function readDumpedMigrations(path: string): Promise<readonly string[]> {
  const rows = await runRestoreProgram(["--data-only", "--table=kysely_migration", "--file=-", path]);
  return [...rows.matchAll(/^(\S+)\t/gm)].map(([, name = ""]) => name);
}

/** Restores a dump into an empty database, in one transaction. */
export async function restorePostgres(url: string, path: string): Promise<void> {
  await runWith(url, "pg_restore", ["--no-owner", "--single-transaction", path]);
}

/** Returns the names of all tables of a database, those of other programs too. */
export async function listTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ tablename: string }>(
    "SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY tablename",
  );
  return rows.map(({ tablename }) => tablename);
}

/** Runs `pg_restore` without a database. */
export async function runRestoreProgram(args: readonly string[]): Promise<string> {
  return await run("pg_restore", args);
}

/** Runs one of PostgreSQL's programs on a database. */
export async function runWith(url: string, program: string, args: readonly string[]): Promise<void> {
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

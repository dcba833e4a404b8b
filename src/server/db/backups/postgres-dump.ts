import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { createPrivateFile } from "../sqlite/database-file.ts";

/** Like a migration, the dump does not wait long for a table that another program has locked. */
const lockWaitMs = 10_000;

/**
 * Writes a database to a new file with PostgreSQL's `pg_dump`, which must not be older than the server. Throws with the
 * reason that it printed; nothing is left then.
 */
export async function dumpPostgres(url: string, path: string): Promise<void> {
  const withoutPassword = new URL(url);
  const password = decodeURIComponent(withoutPassword.password);
  withoutPassword.password = "";
  // Every user of the host can read the arguments of a program, and only its owner the environment.
  const env = { ...process.env, ...(password !== "" && { PGPASSWORD: password }) };
  const format = ["--format=custom", "--no-password", `--lock-wait-timeout=${lockWaitMs}`];
  await createPrivateFile(path);
  try {
    await promisify(execFile)("pg_dump", [...format, `--file=${path}`, `--dbname=${withoutPassword.href}`], {
      env,
    });
  } catch (error) {
    await rm(path, { force: true });
    const { code, stderr = "" } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code === "ENOENT") throw new Error("the program pg_dump is not installed", { cause: error });
    throw new Error(stderr.trim().replaceAll(/\s*\n\s*/g, " ") || (error as Error).message, { cause: error });
  }
}

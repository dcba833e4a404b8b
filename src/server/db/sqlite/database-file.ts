/** Work on SQLite's file as a whole: copies, checks, and the lock that says whether a server uses it. */
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { syncPath } from "#system/durable-file.ts";
import { isBusy } from "./driver.ts";
import { FolderInUseError } from "./folder-lock.ts";

/**
 * Writes a consistent copy of a database, which other programs may read and write meanwhile. The copy is complete,
 * intact and on disk when it appears under its name; an older file of this name is replaced. Its mode is 0600.
 *
 * @throws if the source is no intact database, or the copy cannot be written; nothing is left then
 */
export async function copySqlite(source: string, target: string): Promise<void> {
  const temporary = `${target}.new`;
  await rm(temporary, { force: true });
  try {
    await createPrivateFile(temporary);
    vacuumInto(source, temporary);
    assertIntact(temporary);
    await syncPath(temporary);
    await rename(temporary, target);
    await syncPath(dirname(target));
  } finally {
    await rm(temporary, { force: true });
  }
}

/** One read transaction, so it ends even while the database is written without a pause, unlike SQLite's backup API. */
function vacuumInto(source: string, target: string): void {
  using database = new DatabaseSync(source, { readOnly: true, timeout: 5000 });
  database.prepare("VACUUM INTO ?").run(target);
}

/** Creates an empty file that only its owner may access, if it does not exist. */
export async function createPrivateFile(path: string): Promise<void> {
  await (await open(path, "a", 0o600)).close();
}

/** Throws if the file is no SQLite database or is damaged. */
export function assertIntact(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  const found = database.prepare("PRAGMA integrity_check(1)").all();
  const [problem] = found.map((row) => String(row["integrity_check"]));
  if (problem !== "ok") throw new Error(`the database is damaged: ${problem?.replaceAll("\n", " ")}`);
}

/** SQLite's result codes: the file is damaged, or no database. */
const [corrupt, noDatabase] = [11, 26];

/**
 * Takes SQLite's exclusive lock, which no other program can have while a server has the file open, and writes the
 * `-wal` file into the database. The kernel releases the lock when the process ends. A damaged database has no lock.
 *
 * @throws {FolderInUseError} if another program has the database open
 */
export function lockSqlite(path: string): Disposable {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
  } catch (error) {
    const { errcode } = error as { readonly errcode?: number };
    if (errcode === corrupt || errcode === noDatabase) return database;
    database.close();
    throw isBusy(error) ? new FolderInUseError(`Another program uses ${path}.`, { cause: error }) : error;
  }
  return database;
}

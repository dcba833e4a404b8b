import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { copySqlite } from "./database-file.ts";

const keptCopies = 5;
const copyName = /^\d{4}-\d\d-\d\dT[\d-]+Z-before-[\w-]+\.sqlite$/;

/**
 * Copies the SQLite database to `backups/` in the data folder and deletes all but the newest five copies.
 *
 * @param migration the first migration that will run
 * @returns the path of the copy
 */
export async function backUpBeforeMigration(
  dataDir: string,
  databasePath: string,
  migration: string,
): Promise<string> {
  const folder = join(dataDir, "backups");
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const path = join(folder, `${time}-before-${migration}.sqlite`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copySqlite(databasePath, path);
  } catch (error) {
    throw new Error(
      `The database must be migrated, and its backup ${path} cannot be written. The database was not changed. ` +
        "Free some space or correct the cause, and start again.",
      { cause: error },
    );
  }
  const copies = (await readdir(folder)).filter((name) => copyName.test(name)).toSorted();
  for (const name of copies.slice(0, -keptCopies)) await rm(join(folder, name));
  return path;
}

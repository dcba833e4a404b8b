import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

const keptCopies = 5;
const copyName = /^\d{4}-\d\d-\d\dT[\d-]+Z-before-[\w-]+\.(sqlite|pgdump)$/;

/** A database must be migrated and cannot be backed up. The message is for the operator. */
export class MigrationBackupError extends Error {
  override readonly name = "MigrationBackupError";
}

export interface MigrationBackup {
  readonly dataDir: string;
  /** The first migration that will run. */
  readonly migration: string;
  readonly extension: "sqlite" | "pgdump";
  /** Writes a complete copy of the database to a new file that only its owner may access, or nothing. */
  readonly copy: (path: string) => Promise<void>;
}

/**
 * Copies the database to `backups/` in the data folder and deletes all but the newest five copies. Returns the path of
 * the copy. Throws `MigrationBackupError` if the copy cannot be made.
 */
export async function backUpBeforeMigration({
  dataDir,
  migration,
  extension,
  copy,
}: MigrationBackup): Promise<string> {
  const folder = join(dataDir, "backups");
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const path = join(folder, `${time}-before-${migration}.${extension}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copy(path);
  } catch (error) {
    throw new MigrationBackupError(
      `The database must be migrated, and its backup ${path} cannot be written (${(error as Error).message}). ` +
        "The database was not changed. Correct the cause, or make a backup of your own and start once with " +
        "MIGRATE_WITHOUT_BACKUP=1.",
      { cause: error },
    );
  }
  const copies = (await readdir(folder)).filter((name) => copyName.test(name)).toSorted();
  for (const name of copies.slice(0, -keptCopies)) await rm(join(folder, name));
  return path;
}

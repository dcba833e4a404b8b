import type { StorageChecks } from "../../db/storage/storage-checks.ts";
import type { WriteFault } from "../../db/storage/write-check.ts";

const reasons: Readonly<Record<WriteFault, string>> = {
  full: "its disk is full.",
  "read-only": "it is read-only.",
  late: "it takes longer than 2 seconds.",
  failed: "the log says why.",
};

/** Returns what the operator should know about the database's disk and the data folder. */
export async function listStorageIssues(storage: StorageChecks): Promise<readonly string[]> {
  const [database, folder] = await Promise.all([storage.checkDatabase(), storage.checkDataFolder()]);
  const slow = storage.readSlow();
  const seconds = ((slow?.ms ?? 0) / 1000).toFixed(1);
  return [
    database && `The database cannot be written: ${reasons[database]} Logins and changes fail.`,
    folder && `DATA_DIR cannot be written: ${reasons[folder]} Backups and updates of the registry fail.`,
    slow &&
      `The database is slow: its last slow commit took ${seconds} s. Logins and changes wait for its disk.`,
  ].filter((issue) => issue !== null);
}

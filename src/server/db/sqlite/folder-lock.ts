import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { secureDataFolder } from "../data-folder.ts";
import { isBusy } from "./driver.ts";

/** Another server uses the same folder. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
}

/**
 * Reserves a folder for one server until the lock is disposed or the process ends. The lock is SQLite's exclusive lock
 * on a file of its own, which the kernel frees with the process, so no stale lock remains. Unlike the agent's, it also
 * excludes servers in containers that share the folder.
 *
 * @throws FolderInUseError if another server holds the lock
 */
export async function lockFolder(folder: string): Promise<Disposable> {
  await secureDataFolder(folder);
  const database = new DatabaseSync(join(folder, "server.lock"), { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new FolderInUseError(
      `Another server is running on ${folder}. This one exits without changes. Stop the other one first, set DATA_DIR ` +
        "to another folder, or use PostgreSQL (DATABASE_URL), which several servers can share.",
      { cause: error },
    );
  }
  return { [Symbol.dispose]: () => database.close() };
}

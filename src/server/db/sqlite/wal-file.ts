import { closeSync, fdatasync, fstatSync, openSync } from "node:fs";
import { promisify } from "node:util";

/** SQLite's `-wal` file, which contains the changes since the last checkpoint. */
export interface WalFile {
  /** Resolves when everything that was committed before is on disk. */
  sync(): Promise<void>;
  /** Its length in bytes. */
  size(): number;
  close(): Promise<void>;
}

/** Writes a file's data to disk, by its descriptor. */
export type SyncFile = (descriptor: number) => Promise<void>;

/**
 * Opens the `-wal` file of an open database, beside SQLite. The file stays the same as long as a connection is open, and
 * SQLite has no locks on it, which a second descriptor of the process would release.
 *
 * @param syncFile for tests
 */
export function openWalFile(path: string, syncFile: SyncFile = promisify(fdatasync)): WalFile {
  const descriptor = openSync(`${path}-wal`, "r+");
  let last: Promise<void> = Promise.resolve();
  return {
    sync: () => {
      last = syncFile(descriptor);
      return last;
    },
    size: () => fstatSync(descriptor).size,
    close: async () => {
      await last.catch(() => undefined);
      closeSync(descriptor);
    },
  };
}

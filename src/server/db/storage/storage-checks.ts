import type { Logger } from "pino";
import type { CommitTimes } from "./commit-times.ts";
import { probeDataFolder } from "../data-folder.ts";
import { createWriteCheck, type WriteCheck } from "./write-check.ts";

export interface StorageChecks extends Pick<CommitTimes, "readSlow"> {
  readonly checkDatabase: WriteCheck;
  readonly checkDataFolder: WriteCheck;
}

export interface StorageChecksDeps {
  readonly dataDir: string;
  readonly probeWrite: () => Promise<void>;
  readonly commitTimes: CommitTimes;
  readonly log: Pick<Logger, "error" | "info">;
}

/** Creates the checks that `/healthz` and `/readyz` share. */
export function createStorageChecks({
  dataDir,
  probeWrite,
  commitTimes,
  log,
}: StorageChecksDeps): StorageChecks {
  return {
    checkDatabase: createWriteCheck({ name: "the database", write: probeWrite, log }),
    checkDataFolder: createWriteCheck({
      name: "the data folder",
      write: () => probeDataFolder(dataDir),
      log,
    }),
    readSlow: () => commitTimes.readSlow(),
  };
}

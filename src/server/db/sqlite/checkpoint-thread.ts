/** The thread of `checkpoints.ts`. Each message is the mode of a checkpoint, or "end". */
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** How long it waits for a writer before a checkpoint that lets no other write. */
const lockWaitMs = 1000;

const database = new DatabaseSync(workerData as string, { timeout: lockWaitMs });
parentPort?.on("message", (mode: "PASSIVE" | "RESTART" | "end") => {
  if (mode === "end") {
    database.close();
    parentPort?.close();
    return;
  }
  try {
    // What can be copied beside writers is copied first, so that they wait for the rest alone.
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    if (mode === "RESTART") database.exec("PRAGMA wal_checkpoint(RESTART)");
  } finally {
    parentPort?.postMessage("done");
  }
});

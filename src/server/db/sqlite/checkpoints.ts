/**
 * Copies the changes in SQLite's `-wal` file into the database, in a thread: a checkpoint reads and writes many pages and waits
 * for the disk, which would stop the whole server.
 *
 * Invariants:
 * - A checkpoint lets readers and writers go on. Once everything is copied, SQLite writes from the start of the file again,
 *   and shortens it to `smallWalBytes`: a longer file has something to copy.
 * - If changes come faster than they are copied, the file does not grow far beyond `largeWalBytes`: writers wait for a
 *   checkpoint.
 * - The thread takes some megabytes. It starts when it is needed, and ends after a pause.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface Checkpoints extends AsyncDisposable {
  /** Something was committed; the `-wal` file has this size now. */
  noteCommit(walBytes: number): void;
}

/** SQLite's own limit, after which it copies with each commit. */
export const smallWalBytes = 1000 * 4096;
const largeWalBytes = 64 * 1024 * 1024;
const idleMs = 10_000;

export function startCheckpoints(path: string): Checkpoints {
  let thread: Worker | null = null;
  let isRunning = false;
  let idleTimer: NodeJS.Timeout | undefined;

  function startThread(): Worker {
    const started = new Worker(new URL("./checkpoint-thread.ts", import.meta.url), { workerData: path });
    started.unref();
    started.on("message", () => {
      isRunning = false;
    });
    // A checkpoint that fails, as on a full disk, is tried again after a later commit.
    started.on("error", () => undefined);
    started.on("exit", () => {
      if (thread === started) thread = null;
      isRunning = false;
    });
    return started;
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const ending = thread;
    thread = null;
    if (!ending) return;
    ending.ref();
    const exited = once(ending, "exit");
    ending.postMessage("end");
    await exited;
  }

  return {
    noteCommit(walBytes) {
      if (isRunning || walBytes <= smallWalBytes) return;
      isRunning = true;
      thread ??= startThread();
      thread.postMessage(walBytes > largeWalBytes ? "RESTART" : "PASSIVE");
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => void end(), idleMs).unref();
    },
    [Symbol.asyncDispose]: end,
  };
}

import { stat } from "node:fs/promises";
import { createServer } from "node:net";

/** Another agent uses the same state folder. */
export class StateLockedError extends Error {
  override readonly name = "StateLockedError";
}

/**
 * Locks a folder for this process until the lock is disposed or the process ends. The lock is a name in
 * Linux's abstract socket namespace, which the kernel frees with the process, so no stale lock remains. The
 * name contains the folder's device and inode, because a folder can have several paths. The lock covers one
 * network namespace. On systems other than Linux, which run no router, nothing is locked.
 *
 * @throws StateLockedError if another process holds the lock
 */
export async function lockState(folder: string): Promise<AsyncDisposable> {
  if (process.platform !== "linux") return { [Symbol.asyncDispose]: async () => {} };
  const { dev, ino } = await stat(folder);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const locked = new StateLockedError(
        `Another agent is running on ${folder}. This one exits without changes; stop the other first ` +
          "(systemctl stop peerdeck-agent), or give this one its own state_dir.",
        { cause: error },
      );
      reject(error.code === "EADDRINUSE" ? locked : error);
    });
    server.listen(`\0peerdeck-agent/${dev}/${ino}`, resolve);
  });
  server.unref();
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

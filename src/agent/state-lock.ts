import { stat } from "node:fs/promises";
import { createServer } from "node:net";

/** Another agent runs on the same state. */
export class StateLocked extends Error {
  override readonly name = "StateLocked";
}

/**
 * Makes this process the only one of the machine that uses a folder, until it is disposed or ends in whatever
 * way: the lock is a name in Linux's abstract socket space, which the kernel frees with the process, so that
 * nothing stale is ever left. The name is the folder's device and inode, since one folder may have many paths.
 * It is one of the network namespace; elsewhere than on Linux, where no router is, nothing is locked.
 *
 * Rejects with `StateLocked` where another process holds it.
 */
export async function lockState(folder: string): Promise<AsyncDisposable> {
  if (process.platform !== "linux") return { [Symbol.asyncDispose]: async () => {} };
  const { dev, ino } = await stat(folder);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const locked = new StateLocked(
        `Another agent runs on ${folder}. This one ends and has changed nothing; stop the other first ` +
          "(systemctl stop peerdeck-agent), or give this one a state_dir of its own.",
        { cause: error },
      );
      reject(error.code === "EADDRINUSE" ? locked : error);
    });
    server.listen(`\0peerdeck-agent/${dev}/${ino}`, resolve);
  });
  server.unref();
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";

export interface StopOptions {
  readonly log: Logger;
  readonly timeoutMs: number;
}

/**
 * Closes the server and returns the exit code of the process: 1 if closing fails or takes too long, because the database
 * or another part hangs. The caller then exits although parts are still open. The next start continues their work, as
 * after a crash.
 */
export async function stopServer(running: AsyncDisposable, { log, timeoutMs }: StopOptions): Promise<number> {
  const closed = running[Symbol.asyncDispose]().then(() => "closed" as const);
  try {
    if ((await Promise.race([closed, pause(timeoutMs)])) === "closed") return 0;
    log.error(
      { timeoutMs },
      "the server did not stop in time and exits now; the next start continues its work",
    );
  } catch (error) {
    log.error({ err: error }, "a part of the server could not be closed");
  }
  return 1;
}

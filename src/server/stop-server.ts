import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";

export interface StopOptions {
  readonly log: Logger;
  readonly timeoutMs: number;
}

/**
 * Closes the server and returns the exit code of the process: 1 if that fails, or is not done in time because the
 * database or another part hangs. The caller then exits although parts are still open: whatever they were doing is
 * continued after the next start, as after a crash.
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

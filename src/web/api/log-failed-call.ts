import { UnreachableError } from "./client.ts";

/** Writes a call that failed to the console: the path, and the response or why there was none. Aborted calls did not fail. */
export function logFailedCall(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const cause = error instanceof UnreachableError && error.cause instanceof Error ? error.cause.message : "";
  // eslint-disable-next-line no-console -- the specification has these failures logged
  console.warn(`Call failed: ${message}${cause && `: ${cause}`}`);
}

/** What a participant may conclude from the answer to a change, or from the lack of one. */
import { setTimeout as pause } from "node:timers/promises";
import { CallError } from "#contract/client.ts";

/** `unknown`: the change may be saved or not, and the participant knows that. */
export type Answer<T> =
  | { readonly outcome: "accepted"; readonly value: T }
  | { readonly outcome: "refused"; readonly message: string }
  | { readonly outcome: "unknown"; readonly message: string };

/** An answer that the server must not give, whatever happens to it. */
export class WrongAnswerError extends Error {
  override readonly name = "WrongAnswerError";
}

/** Longer than the server waits for its database. */
export const answerTimeoutMs = 40_000;

/** Sends a change. Rejects with `WrongAnswerError` if the server does not answer, or answers with an unexpected error. */
export async function sendChange<T>(send: (signal: AbortSignal) => Promise<T>): Promise<Answer<T>> {
  try {
    return { outcome: "accepted", value: await send(AbortSignal.timeout(answerTimeoutMs)) };
  } catch (error) {
    if (error instanceof CallError) return readRefusal(error);
    if (error instanceof Error && error.name === "TimeoutError")
      throw new WrongAnswerError(`no answer within ${answerTimeoutMs / 1000} s`);
    return { outcome: wasNeverSent(error) ? "refused" : "unknown", message: String(error) };
  }
}

function readRefusal({ status, message }: CallError): Answer<never> {
  if (status === 503)
    return { outcome: message.includes("may be saved or not") ? "unknown" : "refused", message };
  if (status === 409 || status === 429) return { outcome: "refused", message };
  throw new WrongAnswerError(message);
}

/** `fetch` rejects with the error of the socket as its cause. */
function wasNeverSent(error: unknown): boolean {
  return ((error as Error).cause as { readonly code?: string } | undefined)?.code === "ECONNREFUSED";
}

/** Whether a read failed because the server or its database was away. */
export function isAway(error: unknown): boolean {
  return error instanceof CallError ? error.status === 503 : error instanceof TypeError;
}

/** Returns the result of a read. Repeats it while the server or its database is away, for `recoveryMs` at most. */
export async function readWhenBack<T>(read: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + recoveryMs;
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() > deadline)
        throw new WrongAnswerError(`the server is not back after ${recoveryMs / 1000} s: ${String(error)}`, {
          cause: error,
        });
      await pause(100);
    }
  }
}

/** How long the server may take until it works again after a fault. */
export const recoveryMs = 30_000;

import { CallError, type Caller, createCaller, type Transport } from "../../contract/client.ts";

/** After this long without an answer a request counts as failed. */
const limit = 15_000;

const overFetch: Transport = async ({ method, path, headers, body, signal }) => {
  const limited = AbortSignal.timeout(limit);
  return await fetch(new URL(path, window.location.origin), {
    method,
    headers: { ...headers },
    ...(body !== null && { body }),
    credentials: "same-origin",
    cache: "no-store",
    signal: signal instanceof AbortSignal ? AbortSignal.any([signal, limited]) : limited,
  });
};

/**
 * Makes a call of the contract to the server that the app came from.
 *
 * Rejects with `CallError` when the server refused, with a `TypeError` when it could not be reached and with
 * an abort or timeout `DOMException` when the request was given up.
 */
export const call: Caller = createCaller(overFetch);

/** The server's sentence about a failed call, or ours when there was no answer. */
export function toldBy(error: unknown): string {
  return error instanceof CallError
    ? error.failure.message
    : "The server could not be reached. Check your connection and try again.";
}

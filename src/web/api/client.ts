import { CallError, type Caller, createCaller, type Transport } from "../../contract/client.ts";
import { Unreachable } from "./unreachable.ts";

/** After this long without a whole answer a request counts as failed. */
const limit = 15_000;

const overFetch: Transport = async ({ method, path, headers, body, signal }) => {
  const asked = signal instanceof AbortSignal ? signal : null;
  const limited = AbortSignal.timeout(limit);
  try {
    const response = await fetch(new URL(path, window.location.origin), {
      method,
      headers: { ...headers },
      ...(body !== null && { body }),
      credentials: "same-origin",
      cache: "no-store",
      signal: asked === null ? limited : AbortSignal.any([asked, limited]),
    });
    const text = await response.text();
    return { status: response.status, text: () => Promise.resolve(text) };
  } catch (error) {
    // Whoever gave the request up knows why; everything else is the network's doing.
    throw asked?.aborted === true ? error : new Unreachable(path, error);
  }
};

/**
 * Makes a call of the contract to the server that the app came from.
 *
 * Rejects with `CallError` when the server refused, with `Unreachable` when it gave no answer, and with the
 * signal's reason when the caller gave the request up.
 */
export const call: Caller = createCaller(overFetch);

/** What went wrong with a call, in a sentence: the server's own, or ours when there was no answer. */
export function toldBy(error: unknown): string {
  if (error instanceof CallError) return error.failure.message;
  if (error instanceof Unreachable)
    return "The server could not be reached. Check your connection and try again.";
  return "Something went wrong in the app. Try again, or load the page anew.";
}

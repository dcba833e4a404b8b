import type { QueryFunctionContext } from "@tanstack/react-query";
import type { Call, CallAnswer, CallInput } from "../../contract/call.ts";
import { CallError, type Caller, createCaller, type Transport } from "../../contract/client.ts";
import { knownAtHeader } from "../../contract/kept.ts";
import { answerMs, slowAnswerMs } from "../../contract/patience.ts";
import { firstAbort } from "../../device/first-abort.ts";
import { noteKnownAt } from "../offline/known-at.ts";
import { noteReach } from "../offline/reach.ts";
import { learnServerTime } from "./server-clock.ts";
import { Unreachable } from "./unreachable.ts";

/**
 * @param onAnswer hears when the answer was true, in milliseconds since 1970; null: just now.
 * @param asked the answer, where it is under way already.
 */
function overFetch(onAnswer: (knownAt: number | null) => void, asked?: Promise<Response>): Transport {
  return async ({ method, path, headers, body, slow = false, signal }) => {
    const given = signal instanceof AbortSignal ? signal : null;
    const limited = AbortSignal.timeout(slow ? slowAnswerMs : answerMs);
    try {
      const response = await (asked ??
        fetch(new URL(path, window.location.origin), {
          method,
          headers: { ...headers },
          ...(body !== null && { body }),
          credentials: "same-origin",
          cache: "no-store",
          signal: given === null ? limited : firstAbort(given, limited),
        }));
      learnServerTime(response.headers.get("date"));
      const text = await response.text();
      const knownAt = response.headers.get(knownAtHeader);
      onAnswer(knownAt === null ? null : Number(knownAt));
      return { status: response.status, text: () => Promise.resolve(text) };
    } catch (error) {
      // Whoever gave the request up knows why; everything else is the network's doing.
      throw given?.aborted === true ? error : new Unreachable(path, error);
    }
  };
}

/**
 * Makes a call of the contract to the server that the app came from.
 *
 * Rejects with `CallError` when the server refused, with `Unreachable` when it gave no answer, and with the
 * signal's reason when the caller gave the request up.
 */
export const call: Caller = createCaller(overFetch(() => undefined));

/**
 * Makes a call for a query, or takes the answer that was `asked` for before, and notes beside the query's data when the
 * answer was true: the worker answers from what the device keeps where the server cannot be reached. Rejects like
 * `call`.
 */
export async function read<C extends Call>(
  { client, queryKey, signal }: QueryFunctionContext,
  which: C,
  body: CallInput<C>,
  asked?: Promise<Response>,
): Promise<CallAnswer<C>> {
  let knownAt: number | null = null;
  const caller = createCaller(
    overFetch((at) => {
      knownAt = at;
    }, asked),
  );
  try {
    const answer = await caller(which, body, { signal });
    noteKnownAt(client, queryKey, knownAt);
    noteReach(client, knownAt === null);
    return answer;
  } catch (error) {
    if (error instanceof Unreachable) {
      noteReach(client, false);
      // What stays on the screen is as old as its last answer.
      const state = client.getQueryState(queryKey);
      if (state?.data !== undefined) noteKnownAt(client, queryKey, state.dataUpdatedAt, "keep the older");
    }
    throw error;
  }
}

/** What went wrong with a call, in a sentence: the server's own, or ours when there was no answer. */
export function toldBy(error: unknown): string {
  if (error instanceof CallError) return error.failure.message;
  if (error instanceof Unreachable)
    return "The server could not be reached. Check your connection and try again.";
  return "Something went wrong in the app. Try again, or load the page anew.";
}

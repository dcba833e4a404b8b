import type { QueryFunctionContext } from "@tanstack/react-query";
import type { Call, CallResponse, CallInput } from "../../contract/call.ts";
import { CallError, type Caller, createCaller, type Transport } from "../../contract/client.ts";
import { fetchedAtHeader } from "../../contract/worker-messages.ts";
import { responseTimeoutMs, slowResponseTimeoutMs } from "../../contract/timeouts.ts";
import { anySignal } from "../../browser-storage/timeout.ts";
import { recordFetchedAt, recordFetchedAtUnlessKnown } from "./fetched-at.ts";
import { reportConnectivity } from "../browser/connectivity.ts";
import { recordServerTime } from "./server-clock.ts";

/** The server gave no response: there is no network, the connection broke, or the time ran out. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
  readonly isTimeout: boolean;

  constructor(path: string, cause: unknown) {
    super(`${path} gave no response`, { cause });
    this.isTimeout = cause instanceof Error && cause.name === "TimeoutError";
  }
}

/**
 * @param onResponse receives when the response was fetched, in milliseconds since 1970; null: just now.
 * @param prefetched the response, if the request has been sent already.
 */
function fetchTransport(
  onResponse: (fetchedAt: number | null) => void,
  prefetched?: Promise<Response>,
): Transport {
  return async ({ method, path, headers, body, slow = false, signal }) => {
    const callerSignal = signal instanceof AbortSignal ? signal : null;
    const timeout = AbortSignal.timeout(slow ? slowResponseTimeoutMs : responseTimeoutMs);
    try {
      const response = await (prefetched ??
        fetch(new URL(path, window.location.origin), {
          method,
          headers: { ...headers },
          ...(body !== null && { body }),
          credentials: "same-origin",
          cache: "no-store",
          signal: callerSignal === null ? timeout : anySignal(callerSignal, timeout),
        }));
      recordServerTime(response.headers.get("date"));
      const text = await response.text();
      const fetchedAt = response.headers.get(fetchedAtHeader);
      onResponse(fetchedAt === null ? null : Number(fetchedAt));
      return { status: response.status, text: () => Promise.resolve(text) };
    } catch (error) {
      // The caller knows the reason of its own abort. Every other failure is one of the network.
      throw callerSignal?.aborted === true ? error : new UnreachableError(path, error);
    }
  };
}

/**
 * Makes a call of the contract to the server that the app came from.
 *
 * Rejects with `CallError` for an error response, with `UnreachableError` without a response, and with the signal's
 * reason when the caller aborts.
 */
export const call: Caller = createCaller(fetchTransport(() => undefined));

/**
 * Makes a call for a query, or takes the `prefetched` response. Records when the data was fetched: the worker gives a
 * cached response where the server cannot be reached. Rejects like `call`.
 */
export async function read<C extends Call>(
  { client, queryKey, signal }: QueryFunctionContext,
  target: C,
  body: CallInput<C>,
  prefetched?: Promise<Response>,
): Promise<CallResponse<C>> {
  let fetchedAt: number | null = null;
  const caller = createCaller(
    fetchTransport((at) => {
      fetchedAt = at;
    }, prefetched),
  );
  try {
    const response = await caller(target, body, { signal });
    recordFetchedAt(client, queryKey, fetchedAt);
    reportConnectivity(client, fetchedAt === null);
    return response;
  } catch (error) {
    if (error instanceof UnreachableError) {
      reportConnectivity(client, false);
      // The screen keeps the data of the last response.
      const state = client.getQueryState(queryKey);
      if (state?.data !== undefined) recordFetchedAtUnlessKnown(client, queryKey, state.dataUpdatedAt);
    }
    throw error;
  }
}

/** A message for the participant: the server's own, or the app's if there was no response. */
export function errorMessage(error: unknown): string {
  if (error instanceof CallError) return error.body.message;
  if (error instanceof UnreachableError)
    return "The server could not be reached. Check your connection and try again.";
  return "Something went wrong in the app. Try again, or reload the page.";
}

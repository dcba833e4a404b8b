import type { QueryClient, QueryFunctionContext } from "@tanstack/react-query";
import type { AcceptedResponse, Call, CallInput } from "../../contract/call.ts";
import {
  CallError,
  type CallOptions,
  createLenientCaller,
  type LenientCaller,
  type Transport,
  UnreadableResponseError,
} from "../../contract/client.ts";
import { fetchedAtHeader } from "../../contract/app/worker-messages.ts";
import { responseTimeoutMs, slowResponseTimeoutMs } from "../../contract/timeouts.ts";
import { anySignal } from "../../browser-storage/timeout.ts";
import {
  isCallUnsupported,
  isRecent,
  recordUnsupportedCall,
  sendAlone,
} from "../../browser-storage/unsupported-calls.ts";
import { recordFetchedAt, recordFetchedAtUnlessKnown } from "./fetched-at.ts";
import { reportConnectivity } from "../browser/connectivity.ts";
import { createAppStore } from "../browser/store.ts";
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
      // For some calls the status alone decides, and a captive portal's page has status 200.
      if (response.ok && isWebPage(text)) throw new UnreadableResponseError(path);
      return { status: response.status, text: () => Promise.resolve(text) };
    } catch (error) {
      if (error instanceof UnreadableResponseError) throw error;
      // The caller knows the reason of its own abort. Every other failure is one of the network.
      throw callerSignal?.aborted === true ? error : new UnreachableError(path, error);
    }
  };
}

function isWebPage(text: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(text);
}

/**
 * Makes a call of the contract to the server that the app came from.
 *
 * Rejects with `CallError` for an error response, with `UnreachableError` without a response, and with the signal's
 * reason when the caller aborts.
 */
export const call: LenientCaller = createLenientCaller(fetchTransport(() => undefined));

/**
 * Makes a call for a query, or takes the `prefetched` response. Records when the data was fetched: the worker gives a
 * cached response where the server cannot be reached. Rejects like `call`.
 */
export async function read<C extends Call>(
  { client, queryKey, signal }: Pick<QueryFunctionContext, "client" | "queryKey" | "signal">,
  target: C,
  body: CallInput<C>,
  prefetched?: Promise<Response>,
): Promise<AcceptedResponse<C>> {
  let fetchedAt: number | null = null;
  const caller = createLenientCaller(
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

type OptionalCall = Call & { readonly optional: true };

/** Makes an optional call, like `call`. Null if the server does not have it; then it is not sent again soon. */
export const callOptional = <C extends OptionalCall>(
  client: QueryClient,
  target: C,
  body: CallInput<C>,
  options?: CallOptions,
): Promise<AcceptedResponse<C> | null> =>
  nullIfUnsupported(client, target, () => call(target, body, options));

/** Makes an optional call for a query, like `read`. Null if the server does not have it. */
export const readOptional = <C extends OptionalCall>(
  { client, queryKey }: QueryFunctionContext,
  target: C,
  body: CallInput<C>,
): Promise<AcceptedResponse<C> | null> => {
  // Without the signal of the query: the response to an aborted request would be lost, and the request repeated.
  const { signal } = new AbortController();
  return nullIfUnsupported(client, target, () => read({ client, queryKey, signal }, target, body));
};

interface Support {
  readonly isSupported: boolean;
  /** When that was found out, in milliseconds since 1970. */
  readonly foundAt: number;
}

/** Whether the server has an optional call, by path. A poll does not depend on how fast storage is. */
const supportStore = createAppStore<ReadonlyMap<string, Support>>(new Map());

async function nullIfUnsupported<T>(
  client: QueryClient,
  { path }: OptionalCall,
  send: () => Promise<T>,
): Promise<T | null> {
  const store = supportStore(client);
  const known = store.get().get(path);
  if (known?.isSupported === false && isRecent(known.foundAt)) return null;
  const record = (isSupported: boolean) =>
    store.set(new Map(store.get()).set(path, { isSupported, foundAt: Date.now() }));
  const sendUnlessUnsupported = async () => {
    if (await isCallUnsupported(path)) {
      record(false);
      return null;
    }
    try {
      const response = await send();
      record(true);
      return response;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 404) throw error;
      record(false);
      await recordUnsupportedCall(path);
      return null;
    }
  };
  return known?.isSupported === true ? sendUnlessUnsupported() : sendAlone(path, sendUnlessUnsupported);
}

/** A message for the participant: the server's own, or the app's if there was no response. */
export function errorMessage(error: unknown): string {
  if (error instanceof CallError) return error.body.message;
  if (error instanceof UnreachableError)
    return "The server could not be reached. Check your connection and try again.";
  return "Something went wrong in the app. Try again, or reload the page.";
}

import {
  type FetchQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import { settleWithin } from "../../browser-storage/timeout.ts";
import { CallError } from "../../contract/client.ts";
import { UnreachableError } from "./client.ts";
import { removeFetchedAtWithQuery } from "./fetched-at.ts";
import { logFailedCall } from "./log-failed-call.ts";
import { authStatusQuery } from "./login-session.ts";

/** Milliseconds that a route's loader waits for what is not cached. Then the screen is rendered with placeholders. */
const loaderTimeoutMs = 1_000;

/** Younger data is not refetched when a component mounts, and a request that failed within this time is not repeated then. */
const freshMs = 10_000;

/**
 * The app's one cache of server state. A query that fails is logged once, after its retries, unless its `meta` has
 * `isFailureIgnored`.
 *
 * @param onLoginSessionEnd called when the server responds with 401 although an AS is logged in: its login session has ended.
 */
export function createQueryClient(onLoginSessionEnd: () => void): QueryClient {
  const [authStatusPrefix] = authStatusQuery().queryKey;
  const checkLoginSession = (error: Error) => {
    if (!(error instanceof CallError) || error.status !== 401) return;
    const authStatus = queryClient.getQueryData(authStatusQuery().queryKey);
    // Without a login session, a 401 changes nothing.
    if (authStatus?.isAuthenticated === true) onLoginSessionEnd();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey: [prefix], meta }) => {
        if (meta?.["isFailureIgnored"] !== true) logFailedCall(error);
        // The caller of the auth status handles its errors. Requesting it again here would not end.
        if (prefix !== authStatusPrefix) checkLoginSession(error);
      },
    }),
    mutationCache: new MutationCache({ onError: checkLoginSession }),
    defaultOptions: {
      queries: {
        // The worker responds without a network too. The browser's own idea of being offline would only delay retries,
        // and with them the message that the server cannot be reached.
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: freshMs,
        retry: (failures, error) => failures < 1 && isTransient(error),
        // A screen whose loader has just failed shows the error at once instead of repeating the request.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > freshMs,
      },
      mutations: { networkMode: "always" },
    },
  });
  removeFetchedAtWithQuery(queryClient);
  return queryClient;
}

/**
 * Loads what the first view of a screen shows, for a route's loader. It waits only for what is not cached, and no longer
 * than `loaderTimeoutMs` (decision 17). It never rejects: the screen shows errors.
 */
export function loadFirstView(...loads: readonly Promise<unknown>[]): Promise<void> {
  return settleWithin(loaderTimeoutMs, ...loads);
}

/** One query of a first view. Cached data is refetched if it is stale, but not waited for. */
export async function loadUnlessCached<Data, Key extends QueryKey>(
  queryClient: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<void> {
  const isCached = queryClient.getQueryData(query.queryKey) !== undefined;
  const loading = queryClient.prefetchQuery(query);
  if (!isCached) await loading;
}

/** Whether the same request may succeed a moment later. */
function isTransient(error: Error): boolean {
  // 503 means that a node cannot be reached: the server has waited for it already.
  if (error instanceof CallError) return error.status >= 500 && error.status !== 503;
  return error instanceof UnreachableError && !error.isTimeout;
}

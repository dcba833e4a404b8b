import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError } from "../../contract/client.ts";
import { UnreachableError } from "./client.ts";
import { removeFetchedAtWithQuery } from "./fetched-at.ts";
import { authStatusQuery } from "./login-session.ts";

/** Milliseconds that a route's loader waits for data. Then the screen is rendered with placeholders for the rest. */
export const loaderTimeoutMs = 250;

/** Younger data is not refetched when a component mounts, and a request that failed within this time is not repeated then. */
const freshMs = 10_000;

/**
 * The app's one cache of server state.
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
      onError: (error, { queryKey: [prefix] }) => {
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

/** Whether the same request may succeed a moment later. */
function isTransient(error: Error): boolean {
  // 503 means that a node cannot be reached: the server has waited for it already.
  if (error instanceof CallError) return error.status >= 500 && error.status !== 503;
  return error instanceof UnreachableError && !error.isTimeout;
}

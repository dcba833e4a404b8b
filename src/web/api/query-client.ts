import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError } from "../../contract/client.ts";
import { authStatusQuery } from "./session.ts";
import { Unreachable } from "./unreachable.ts";

/** Whether the same request may well succeed a moment later. */
function isTransient(error: Error): boolean {
  // 503 is the server's word that a node cannot be reached: it has waited for it already.
  if (error instanceof CallError) return error.status >= 500 && error.status !== 503;
  return error instanceof Unreachable && !error.timedOut;
}

/** What was loaded within this time is not asked for again without a reason, nor what just failed to load. */
const freshMs = 10_000;

/**
 * The app's one cache of server state.
 *
 * @param onSignedOut called when the server answers 401 to somebody who was signed in, because the session has
 * ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const [sessionSubject] = authStatusQuery().queryKey;
  const notice = (error: Error) => {
    if (!(error instanceof CallError) || error.status !== 401) return;
    const session = queryClient.getQueryData(authStatusQuery().queryKey);
    // Whoever is not signed in was refused at the door, and stands there.
    if (session?.isAuthenticated === true) onSignedOut();
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey: [subject] }) => {
        // Whoever asks for the session hears of its end anyway, and asking again would go on for ever.
        if (subject !== sessionSubject) notice(error);
      },
    }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        // The worker answers without a network too. What the browser thinks of it would only hold a retry back, and
        // with it the word that nothing came.
        networkMode: "always",
        refetchOnReconnect: true,
        staleTime: freshMs,
        retry: (failures, error) => failures < 1 && isTransient(error),
        // A screen whose loader has just failed shows that at once instead of waiting for the same again.
        retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > freshMs,
      },
      mutations: { networkMode: "always" },
    },
  });
  return queryClient;
}

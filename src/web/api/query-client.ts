import { QueryCache, QueryClient } from "@tanstack/react-query";
import { CallError } from "../../contract/client.ts";
import { Unreachable } from "./unreachable.ts";

/** Whether the same request may well succeed a moment later. */
function isTransient(error: Error): boolean {
  if (error instanceof CallError) return error.status >= 500;
  return error instanceof Unreachable && !error.timedOut;
}

/**
 * The app's one cache of server state.
 *
 * @param onSignedOut called when the server answers 401 to a read, because the session has ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, { queryKey: [subject] }) => {
        // Whoever asks for the session hears of its end anyway, and asking again would go on for ever.
        if (subject === "auth-status") return;
        if (error instanceof CallError && error.status === 401) onSignedOut();
      },
    }),
    defaultOptions: {
      queries: {
        networkMode: "offlineFirst",
        staleTime: 10_000,
        retry: (failures, error) => failures < 1 && isTransient(error),
      },
      mutations: { networkMode: "always" },
    },
  });
}

import { queryOptions } from "@tanstack/react-query";
import { historyCalls } from "#contract/call-tables/history-calls.ts";
import { readOptional } from "../../api/client.ts";

/** When the sessions of an AS changed in the last days; null if the server does not have the call. */
export function sessionChangesQuery(username: string) {
  return queryOptions({
    queryKey: ["session-changes", username],
    queryFn: (context) => readOptional(context, historyCalls.getSessionChanges, { username }),
    refetchInterval: 60_000,
  });
}

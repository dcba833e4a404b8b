import { queryOptions } from "@tanstack/react-query";
import { activityCalls } from "#contract/call-tables/activity-calls.ts";
import { readOptional } from "../../api/client.ts";

/** When the sessions of an AS changed in the last days; null if the server does not have the call. */
export function sessionChangesQuery(username: string) {
  return queryOptions({
    queryKey: ["session-changes", username],
    queryFn: (context) => readOptional(context, activityCalls.getSessionChanges, { username }),
    refetchInterval: 60_000,
  });
}

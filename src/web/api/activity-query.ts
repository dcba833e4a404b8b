import { queryOptions } from "@tanstack/react-query";
import { activityCalls } from "../../contract/call-tables/activity-calls.ts";
import { readOptional } from "./client.ts";

/** How often an unfinished deployment is looked at. */
const unfinishedPollMs = 5_000;

/** The newest events of an AS. Null if the server does not have the call. */
export function activityQuery(username: string) {
  return queryOptions({
    queryKey: ["activity", username],
    queryFn: (context) => readOptional(context, activityCalls.getActivity, { username }),
    refetchInterval: ({ state }) =>
      state.data?.entries.some(({ outcome }) => outcome?.state === "waiting") === true && unfinishedPollMs,
  });
}

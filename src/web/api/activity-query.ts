import { queryOptions } from "@tanstack/react-query";
import { activityCalls } from "../../contract/call-tables/activity-calls.ts";
import { readOptional } from "./client.ts";

/** The newest events of an AS. Null if the server does not have the call. */
export function activityQuery(username: string) {
  return queryOptions({
    queryKey: ["activity", username],
    queryFn: (context) => readOptional(context, activityCalls.getActivity, { username }),
  });
}

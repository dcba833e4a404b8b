import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import type { Task } from "../../contract/entities.ts";
import { call } from "./client.ts";
import { peeringKey, refreshPeerings } from "./peering-key.ts";

/** After this long a poll counts as failed. */
const pollLimit = 10_000;

/** One deployment. A poll that fails is not repeated before its turn. */
export function taskQuery(username: string, taskID: string) {
  return queryOptions({
    queryKey: ["task", username, taskID],
    queryFn: ({ signal }) =>
      call(
        calls.getTaskStatus,
        { username, taskID },
        {
          signal: AbortSignal.any([signal, AbortSignal.timeout(pollLimit)]),
          headers: { "cache-control": "no-cache" },
        },
      ),
    retry: false,
    staleTime: Infinity,
  });
}

/** Deployments of this AS that have not ended, newest first. */
export function unfinishedTasksQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "tasks"),
    queryFn: ({ signal }) => call(calls.getTasks, { username }, { signal }),
  });
}

/** Keeps what the server answered to a submit or a deletion, as the first state of its task. */
export function beginTask(queryClient: QueryClient, username: string, task: Task): void {
  queryClient.setQueryData(taskQuery(username, task.taskID).queryKey, task);
  void refreshPeerings(queryClient, username);
}

import { type QueryClient, queryOptions, replaceEqualDeep } from "@tanstack/react-query";
import { calls } from "../../contract/calls.ts";
import type { Task } from "../../contract/entities.ts";
import { firstAbort } from "../../device/first-abort.ts";
import { watchTask } from "../offline/watched-tasks.ts";
import { call, read } from "./client.ts";
import { peeringKey, refreshPeerings } from "./peering-key.ts";
import { type DeploymentType, endingOf } from "./task-ending.ts";

/** After this long a poll counts as failed. */
const pollLimit = 10_000;

export const taskSubject = "task";

/** Answers come from polls, other tabs and the stream of events: the older one may come later. */
function keepEnd(known: unknown, next: unknown): unknown {
  return known !== undefined && hasEnded(known as Task) ? known : replaceEqualDeep(known, next);
}

/** One deployment. A poll that fails is not repeated before its turn. */
export function taskQuery(username: string, taskID: string) {
  return queryOptions({
    queryKey: [taskSubject, username, taskID],
    queryFn: ({ signal }) =>
      call(
        calls.getTaskStatus,
        { username, taskID },
        {
          signal: firstAbort(signal, AbortSignal.timeout(pollLimit)),
          headers: { "cache-control": "no-cache" },
        },
      ),
    retry: false,
    staleTime: Infinity,
    structuralSharing: keepEnd,
  });
}

function hasEnded({ kind, status }: Task): boolean {
  return endingOf(kind === "delete" ? "delete" : "edit", status) !== null;
}

/** Deployments of this AS that have not ended, newest first. */
export function unfinishedTasksQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "tasks"),
    queryFn: (context) => read(context, calls.getTasks, { username }),
  });
}

/** Keeps what somebody else has heard from the server of a deployment. */
export function takeTask(queryClient: QueryClient, username: string, task: Task): void {
  queryClient.setQueryDefaults([taskSubject], { structuralSharing: keepEnd });
  queryClient.setQueryData(taskQuery(username, task.taskID).queryKey, task);
}

/**
 * Keeps what the server answered to a submit or a deletion, as the first state of its task, and watches it.
 *
 * @param submitted a mark of the form that was submitted.
 */
export function beginTask(
  queryClient: QueryClient,
  username: string,
  type: DeploymentType,
  task: Task,
  submitted?: string,
): void {
  const { taskID, node } = task;
  takeTask(queryClient, username, task);
  const begun = { username, taskID, node, type, begunHere: true, startedAt: Date.now() };
  watchTask(queryClient, { ...begun, ...(submitted !== undefined && { submitted }) });
  void refreshPeerings(queryClient, username, type === "delete" ? node : undefined);
}

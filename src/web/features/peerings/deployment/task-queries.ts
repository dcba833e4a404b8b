import { type QueryClient, queryOptions, replaceEqualDeep } from "@tanstack/react-query";
import { anySignal } from "../../../../browser-storage/timeout.ts";
import { calls } from "../../../../contract/calls.ts";
import type { Task, TaskStatus } from "../../../../contract/entities.ts";
import { type DeploymentType, deploymentTypeOf } from "../../../../contract/screens.ts";
import { call, read } from "../../../api/client.ts";
import { peeringKey, refreshPeerings } from "../../../api/peering-queries.ts";
import { watchTask } from "../../../browser/watched-tasks.ts";

export type TaskOutcome = "success" | "failure" | null;

const outcomes: Readonly<Record<TaskStatus, TaskOutcome>> = {
  waiting: null,
  success: "success",
  failed: "failure",
  error: "failure",
};

/** How a deployment ended; null while it is running. A deletion keeps running in `error` (docs/behaviour.md, section 4). */
export function taskOutcome(type: DeploymentType, status: TaskStatus): TaskOutcome {
  return type === "delete" && status === "error" ? null : outcomes[status];
}

/** A poll that takes longer counts as failed. */
const pollTimeoutMs = 10_000;

export const taskKeyPrefix = "task";

/** Task states arrive from polls, other tabs and the event stream, and may arrive out of order: a finished task stays. */
function keepFinished(cached: unknown, next: unknown): unknown {
  return cached !== undefined && isFinished(cached as Task) ? cached : replaceEqualDeep(cached, next);
}

/** One deployment. A failed poll is not retried before the next interval. */
export function taskQuery(username: string, taskID: string) {
  return queryOptions({
    queryKey: [taskKeyPrefix, username, taskID],
    queryFn: ({ signal }) =>
      call(
        calls.getTaskStatus,
        { username, taskID },
        {
          signal: anySignal(signal, AbortSignal.timeout(pollTimeoutMs)),
          headers: { "cache-control": "no-cache" },
        },
      ),
    retry: false,
    staleTime: Infinity,
    structuralSharing: keepFinished,
  });
}

function isFinished({ kind, status }: Task): boolean {
  return taskOutcome(deploymentTypeOf(kind), status) !== null;
}

/** Unfinished deployments of this AS, newest first. */
export function unfinishedTasksQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "tasks"),
    queryFn: (context) => read(context, calls.getTasks, { username }),
  });
}

/** Caches the state of a task that another tab or the event stream has received. */
export function cacheTask(queryClient: QueryClient, username: string, task: Task): void {
  queryClient.setQueryDefaults([taskKeyPrefix], { structuralSharing: keepFinished });
  queryClient.setQueryData(taskQuery(username, task.taskID).queryKey, task);
}

/**
 * Caches the response to a submit or a deletion as the first state of its task, and watches the task.
 *
 * @param formHash identifies the submitted form (`hashForm`).
 */
export function trackTask(
  queryClient: QueryClient,
  username: string,
  type: DeploymentType,
  task: Task,
  formHash?: string,
): void {
  const { taskID, node } = task;
  cacheTask(queryClient, username, task);
  const watched = { username, taskID, node, type, begunHere: true, startedAt: Date.now() };
  watchTask(queryClient, { ...watched, ...(formHash !== undefined && { submitted: formHash }) });
  void refreshPeerings(queryClient, username, type === "delete" ? node : undefined);
}

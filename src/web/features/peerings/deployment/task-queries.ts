import { type QueryClient, queryOptions, replaceEqualDeep, skipToken } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { Task, TaskState } from "#contract/lenient.ts";
import { type DeploymentType, deploymentTypeOf, taskKindOf } from "#contract/app/screens.ts";
import { readOptional } from "#web/api/client.ts";
import { peeringKey, refreshPeerings } from "#web/api/peering-queries.ts";
import { watchTask } from "#web/browser/watched-tasks.ts";

export type TaskOutcome = "success" | "failure" | null;

const outcomes: ReadonlyMap<string, TaskOutcome> = new Map([
  ["success", "success"],
  ["failed", "failure"],
  ["error", "failure"],
]);

/**
 * How a deployment ended; null while it is running. A deletion keeps running in `error` (docs/behaviour.md, section 4).
 * A status that this version does not know counts as `waiting`.
 */
export function taskOutcome(type: DeploymentType, status: string): TaskOutcome {
  return type === "delete" && status === "error" ? null : (outcomes.get(status) ?? null);
}

const taskKeyPrefix = "task";

/** Task states arrive from polls, other tabs and the event stream, and may arrive out of order: a finished task stays. */
function keepFinished(cached: unknown, next: unknown): unknown {
  return cached !== undefined && isFinished(cached as Task) ? cached : replaceEqualDeep(cached, next);
}

/** What identifies a deployment, whether or not the responses to its polls repeat it. */
export interface TaskReference {
  readonly taskID: string;
  readonly node: string;
  readonly type: DeploymentType;
}

/** Completes what a server responded about a deployment. */
export function toTask({ taskID, node, type }: TaskReference, state: TaskState): Task {
  return { ...state, taskID, node: state.node ?? node, kind: state.kind ?? taskKindOf(type) };
}

/** The last known state of a deployment. It has no request of its own: polls, tabs and events bring it (`cacheTask`). */
export function taskQuery(username: string, taskID: string) {
  return queryOptions<Task>({
    queryKey: [taskKeyPrefix, username, taskID],
    queryFn: skipToken,
    staleTime: Infinity,
    structuralSharing: keepFinished,
  });
}

export function isFinished({ kind, status }: Task): boolean {
  return taskOutcome(deploymentTypeOf(kind), status) !== null;
}

/** Unfinished deployments of this AS, newest first. */
export function unfinishedTasksQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "tasks"),
    queryFn: (context) => readOptional(context, calls.getTasks, { username }),
  });
}

/** Caches the state of a task. */
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
  const watched = { username, taskID, node, type, isStartedHere: true, startedAt: Date.now() };
  watchTask(queryClient, { ...watched, ...(formHash !== undefined && { formHash }) });
  void refreshPeerings(queryClient, username, type === "delete" ? node : undefined);
}

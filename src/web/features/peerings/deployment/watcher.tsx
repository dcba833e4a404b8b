/**
 * Follows every unfinished deployment of the logged-in AS until it finishes, on every screen.
 *
 * Invariants:
 * - Only the leader tab and an open deployment screen poll. They broadcast the responses, and every tab writes them into
 *   its own cache.
 * - A deployment is watched until it finishes. A failed poll changes nothing.
 * - Every tab that watches a deployment calls `onFinished`, twice if the task is watched again after it finished. The receiver deduplicates: in-app notices by task ID in each tab, notifications in the worker.
 */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { WatchedTask } from "#browser-storage/stored-tasks.ts";
import type { Task } from "#contract/lenient.ts";
import { deploymentTypeOf } from "#contract/app/screens.ts";
import { refreshPeerings } from "#web/api/peering-queries.ts";
import { useReloadGuard } from "#web/browser/pwa.ts";
import { onBroadcast } from "#web/browser/tabs.ts";
import {
  addWatchedTasks,
  restoreWatchedTasks,
  unwatchTask,
  useWatchedTasks,
  watchRemoteTask,
} from "#web/browser/watched-tasks.ts";
import { cachePeerStatus } from "../peer-status-query.ts";
import { useTaskPolling } from "./task-polling.ts";
import { cacheTask, type TaskOutcome, taskOutcome, taskQuery, unfinishedTasksQuery } from "./task-queries.ts";

/** A task that runs longer than this no longer delays updates of the app: it may be polled for weeks. */
const maxReloadGuardMs = 3_600_000;

export interface FinishedTask {
  readonly watched: WatchedTask;
  readonly task: Task;
  readonly outcome: Exclude<TaskOutcome, null>;
}

export interface WatcherProps {
  readonly username: string;
  /** Whether this tab is the leader, which polls. */
  readonly isLeader: boolean;
  readonly onFinished: (finished: FinishedTask) => void;
}

export function Watcher({ username, isLeader, onFinished }: WatcherProps) {
  const queryClient = useQueryClient();
  const watched = useWatchedTasks(username);
  const [isRestored, setIsRestored] = useState(false);
  useEffect(() => {
    const stop = receiveTasksOfOtherTabs(queryClient, username);
    void restoreWatchedTasks(queryClient, username).then(() => setIsRestored(true));
    return stop;
  }, [queryClient, username]);
  useTasksOfOtherDevices(username);
  // Only the stored tasks say which deployments were started on this device.
  if (!isRestored) return null;
  return watched.map((task) => (
    <TaskWatcher key={task.taskID} watched={task} isPolled={isLeader} onFinished={onFinished} />
  ));
}

/** Watches deployments that were started on another device. */
function useTasksOfOtherDevices(username: string): void {
  const queryClient = useQueryClient();
  const { data: unfinished, isFetchedAfterMount } = useQuery(unfinishedTasksQuery(username));
  useEffect(() => {
    if (!isFetchedAfterMount) return;
    for (const { taskID, node, kind } of unfinished ?? []) {
      const type = deploymentTypeOf(kind);
      const cached = queryClient.getQueryData(taskQuery(username, taskID).queryKey);
      // A list requested before the task finished may arrive after that.
      if (cached && taskOutcome(type, cached.status) !== null) continue;
      watchRemoteTask(queryClient, { username, taskID, node, type });
    }
  }, [queryClient, username, unfinished, isFetchedAfterMount]);
}

interface TaskWatcherProps {
  readonly watched: WatchedTask;
  readonly isPolled: boolean;
  readonly onFinished: (finished: FinishedTask) => void;
}

function TaskWatcher({ watched, isPolled, onFinished }: TaskWatcherProps) {
  const queryClient = useQueryClient();
  const { username, taskID, type, startedAt } = watched;
  const { data: task } = useQuery(taskQuery(username, taskID));
  const outcome = task ? taskOutcome(type, task.status) : null;
  useTaskPolling(username, watched, isPolled && outcome === null);
  useReloadGuard("deployment", useIsRecent(startedAt, maxReloadGuardMs));

  const handleOutcome = useEffectEvent(() => {
    if (!task || outcome === null) return;
    unwatchTask(queryClient, watched);
    const deletedNode = type === "delete" && outcome === "success" ? task.node : undefined;
    void refreshPeerings(queryClient, username, deletedNode);
    onFinished({ watched, task, outcome });
  });
  useEffect(() => handleOutcome(), [outcome]);
  return null;
}

/** Whether `since`, in milliseconds since 1970, is less than `maxAgeMs` ago. */
function useIsRecent(since: number, maxAgeMs: number): boolean {
  const [isRecent, setIsRecent] = useState(() => Date.now() - since < maxAgeMs);
  useEffect(() => {
    const timer = setTimeout(() => setIsRecent(false), since + maxAgeMs - Date.now());
    return () => clearTimeout(timer);
  }, [since, maxAgeMs]);
  return isRecent;
}

/**
 * Watches the tasks and caches the states that other tabs send.
 *
 * @returns a function that stops it.
 */
function receiveTasksOfOtherTabs(queryClient: QueryClient, username: string): () => void {
  return onBroadcast((message) => {
    if (message.type === "deployment-started" && message.task.username === username)
      addWatchedTasks(queryClient, [message.task]);
    if (message.type === "task" && message.username === username)
      cacheTask(queryClient, username, message.task);
    if (message.type === "peering" && message.username === username)
      cachePeerStatus(queryClient, username, message);
  });
}

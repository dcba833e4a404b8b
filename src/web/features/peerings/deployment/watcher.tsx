/**
 * Follows every unfinished deployment of the logged-in AS until it finishes, on every screen.
 *
 * Invariants:
 * - Only the leader tab polls. It broadcasts the responses, and every tab writes them into its own cache.
 * - A deployment is watched until it finishes or the server does not know it. A failed poll changes nothing.
 * - Every tab that watches a deployment calls `onFinished`, twice if the task is watched again after it finished. The receiver deduplicates: in-app notices by task ID in each tab, notifications in the worker.
 */
import { type QueryClient, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { WatchedTask } from "../../../../browser-storage/stored-tasks.ts";
import { CallError } from "../../../../contract/client.ts";
import type { Task } from "../../../../contract/entities.ts";
import { deploymentTypeOf } from "../../../../contract/screens.ts";
import { refreshPeerings } from "../../../api/peering-queries.ts";
import { useReloadGuard } from "../../../browser/pwa.ts";
import { broadcast, onBroadcast } from "../../../browser/tabs.ts";
import {
  addWatchedTasks,
  restoreWatchedTasks,
  unwatchTask,
  useWatchedTasks,
  watchRemoteTask,
} from "../../../browser/watched-tasks.ts";
import { cachePeerStatus } from "../peer-status-query.ts";
import {
  cacheTask,
  taskKeyPrefix,
  type TaskOutcome,
  taskOutcome,
  taskQuery,
  unfinishedTasksQuery,
} from "./task-queries.ts";

const firstPollMs = 1_000;
const pollIntervalMs = 5_000;
/** A deletion keeps running in `error`. The watcher stops watching it this long after `startedAt`. */
const maxErrorMs = 3_600_000;

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
    const stop = syncTasksBetweenTabs(queryClient, username);
    void restoreWatchedTasks(queryClient, username).then(() => setIsRestored(true));
    return stop;
  }, [queryClient, username]);
  useTasksOfOtherDevices(username);
  useReloadGuard("deployment", watched.length > 0);
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

/** Polls once after one second, when many deployments have finished, and then every five seconds. */
function TaskWatcher({ watched, isPolled, onFinished }: TaskWatcherProps) {
  const queryClient = useQueryClient();
  const { username, taskID, type, startedAt } = watched;
  const {
    data: task,
    dataUpdatedAt,
    error,
  } = useQuery({
    ...taskQuery(username, taskID),
    enabled: isPolled,
    refetchOnReconnect: "always",
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount + state.errorUpdateCount > 1 ? pollIntervalMs : firstPollMs,
  });
  const isUnknown = error instanceof CallError && error.status === 404;

  const handleState = useEffectEvent(() => {
    const outcome = task ? taskOutcome(type, task.status) : null;
    const isGivenUp = task?.status === "error" && Date.now() - startedAt > maxErrorMs;
    if (outcome === null && !isGivenUp && !isUnknown) return;
    unwatchTask(queryClient, watched);
    if (!task || outcome === null) return;
    const deletedNode = type === "delete" && outcome === "success" ? task.node : undefined;
    void refreshPeerings(queryClient, username, deletedNode);
    onFinished({ watched, task, outcome });
  });
  useEffect(() => handleState(), [dataUpdatedAt, isUnknown]);
  return null;
}

/**
 * Sends the task states that this tab fetches to the other tabs, and caches the states that they send.
 *
 * @returns a function that stops it.
 */
function syncTasksBetweenTabs(queryClient: QueryClient, username: string): () => void {
  const stopReceiving = onBroadcast((message) => {
    if (message.type === "begun" && message.task.username === username)
      addWatchedTasks(queryClient, [message.task]);
    if (message.type === "task" && message.username === username)
      cacheTask(queryClient, username, message.task);
    if (message.type === "peering" && message.username === username)
      cachePeerStatus(queryClient, username, message);
  });
  const stopSending = queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success") return;
    // `cacheTask` wrote it: it came from another tab, or the event stream has already broadcast it.
    if (event.action.manual === true) return;
    const [prefix, owner] = event.query.queryKey;
    if (prefix === taskKeyPrefix && owner === username)
      broadcast({ type: "task", username, task: event.action.data as Task });
  });
  return () => {
    stopReceiving();
    stopSending();
  };
}

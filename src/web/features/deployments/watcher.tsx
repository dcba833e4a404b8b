/**
 * Follows every unfinished deployment of the signed-in AS to its end, whatever page is open.
 *
 * Invariants:
 * - One tab polls (`useLeading`), all of them hear its answers, and each puts them into its own cache.
 * - A deployment is watched until it ends or the server does not know it; a poll that fails changes nothing.
 * - Every tab that watches it takes note of its end, once; what happens once for all tabs is for `onEnded` to see to.
 */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { CallError } from "../../../contract/client.ts";
import type { Task } from "../../../contract/entities.ts";
import type { RememberedTask } from "../../../device/tasks.ts";
import { refreshPeerings } from "../../api/peering-key.ts";
import { type Ending, endingOf } from "../../api/task-ending.ts";
import { taskQuery, unfinishedTasksQuery } from "../../api/tasks.ts";
import { recallTasks, unwatchTask, useWatchedTasks, watchTask } from "../../offline/watched-tasks.ts";
import { useBusy } from "../../pwa/pwa.ts";
import { shareTasks } from "./share-tasks.ts";

const firstPollAfter = 1_000;
const pollInterval = 5_000;
/** A deletion goes on through `error`; where that lasts this long, nobody waits for it any more. */
const patience = 3_600_000;

export interface EndedTask {
  readonly watched: RememberedTask;
  readonly task: Task;
  readonly ending: Exclude<Ending, null>;
}

export interface WatcherProps {
  readonly username: string;
  /** Whether this tab is the one that asks the server. */
  readonly leading: boolean;
  readonly onEnded: (ended: EndedTask) => void;
}

export function Watcher({ username, leading, onEnded }: WatcherProps) {
  const queryClient = useQueryClient();
  const watched = useWatchedTasks(username);
  const [recalled, setRecalled] = useState(false);
  useEffect(() => {
    const stop = shareTasks(queryClient, username);
    void recallTasks(queryClient, username).then(() => setRecalled(true));
    return stop;
  }, [queryClient, username]);
  useTasksFromElsewhere(username);
  useBusy("deployment", watched.length > 0);
  // Before that nobody knows which of them were begun here.
  if (!recalled) return null;
  return watched.map((task) => (
    <WatchedTask key={task.taskID} watched={task} polled={leading} onEnded={onEnded} />
  ));
}

/** Deployments that were begun on another device. */
function useTasksFromElsewhere(username: string): void {
  const queryClient = useQueryClient();
  const { data: unfinished, isFetchedAfterMount } = useQuery(unfinishedTasksQuery(username));
  useEffect(() => {
    if (!isFetchedAfterMount) return;
    for (const { taskID, node, kind } of unfinished ?? []) {
      const type = kind === "delete" ? "delete" : "edit";
      const known = queryClient.getQueryData(taskQuery(username, taskID).queryKey);
      // A list that was asked for before the end may come after it.
      if (known && endingOf(type, known.status) !== null) continue;
      watchTask(queryClient, { username, taskID, node, type, begunHere: false, startedAt: Date.now() });
    }
  }, [queryClient, username, unfinished, isFetchedAfterMount]);
}

interface WatchedTaskProps {
  readonly watched: RememberedTask;
  readonly polled: boolean;
  readonly onEnded: (ended: EndedTask) => void;
}

/** Once after a second, because many are done by then, and every five seconds from there on. */
function WatchedTask({ watched, polled, onEnded }: WatchedTaskProps) {
  const queryClient = useQueryClient();
  const { username, taskID, type, startedAt } = watched;
  const {
    data: task,
    dataUpdatedAt,
    error,
  } = useQuery({
    ...taskQuery(username, taskID),
    enabled: polled,
    refetchOnReconnect: "always",
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount + state.errorUpdateCount > 1 ? pollInterval : firstPollAfter,
  });
  const unknown = error instanceof CallError && error.status === 404;

  const take = useEffectEvent(() => {
    const ending = task ? endingOf(type, task.status) : null;
    const waitedTooLong = task?.status === "error" && Date.now() - startedAt > patience;
    if (ending === null && !waitedTooLong && !unknown) return;
    unwatchTask(queryClient, watched);
    if (!task || ending === null) return;
    const gone = type === "delete" && ending === "success" ? task.node : undefined;
    void refreshPeerings(queryClient, username, gone);
    onEnded({ watched, task, ending });
  });
  useEffect(() => take(), [dataUpdatedAt, unknown]);
  return null;
}

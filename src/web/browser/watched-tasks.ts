/**
 * The unfinished deployments of the logged-in AS that this tab watches. Memory holds them, also in browsers without
 * storage; the device holds them across reloads.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { deleteTask, readTasks, saveTask, type WatchedTask } from "../../browser-storage/stored-tasks.ts";
import { createAccountStore, useStore } from "./store.ts";
import { broadcast } from "./tabs.ts";

const none: readonly WatchedTask[] = [];

const watchedTasks = createAccountStore<readonly WatchedTask[]>();

/** Watches a task, in this tab or in the leader tab. */
export function watchTask(client: QueryClient, task: WatchedTask): void {
  const known = readWatchedTasks(client, task.username);
  if (!task.isStartedHere && known.some(({ taskID }) => taskID === task.taskID)) return;
  addWatchedTasks(client, [task]);
  broadcast({ type: "deployment-started", task });
  void saveTask(task);
}

/** Watches a task that was not submitted in this browser. */
export function watchRemoteTask(
  client: QueryClient,
  task: Pick<WatchedTask, "username" | "taskID" | "node" | "type">,
): void {
  watchTask(client, { ...task, isStartedHere: false, startedAt: Date.now() });
}

/** Adds the tasks of one AS that another tab, or an earlier page, started to watch. */
export function addWatchedTasks(client: QueryClient, tasks: readonly WatchedTask[]): void {
  const username = tasks[0]?.username;
  if (username === undefined) return;
  const byId = new Map(readWatchedTasks(client, username).map((task) => [task.taskID, task]));
  for (const task of tasks) {
    if (task.isStartedHere || !byId.has(task.taskID)) byId.set(task.taskID, task);
  }
  setWatchedTasks(client, username, [...byId.values()]);
}

/** Adds the unfinished tasks of earlier pages. */
export async function restoreWatchedTasks(client: QueryClient, username: string): Promise<void> {
  const stored = await readTasks(username);
  for (const { taskID } of stored.filter(isExpired)) void deleteTask(username, taskID);
  addWatchedTasks(
    client,
    stored.filter((task) => !isExpired(task)),
  );
}

/** The server stores a finished task this long. A task that has not ended by then is no longer watched after a reload. */
const maxWatchMs = 30 * 24 * 3_600_000;

function isExpired({ startedAt }: WatchedTask): boolean {
  return Date.now() - startedAt > maxWatchMs;
}

export function unwatchTask(client: QueryClient, { username, taskID }: WatchedTask): void {
  const remaining = readWatchedTasks(client, username).filter((task) => task.taskID !== taskID);
  setWatchedTasks(client, username, remaining);
  void deleteTask(username, taskID);
}

export function useWatchedTasks(username: string): readonly WatchedTask[] {
  return useStore(watchedTasks(useQueryClient())).get(username) ?? none;
}

function readWatchedTasks(client: QueryClient, username: string): readonly WatchedTask[] {
  return watchedTasks(client).get().get(username) ?? none;
}

function setWatchedTasks(client: QueryClient, username: string, tasks: readonly WatchedTask[]): void {
  const store = watchedTasks(client);
  store.set(new Map(store.get()).set(username, tasks));
}

/**
 * The unfinished deployments of the signed-in AS that this tab knows of. They stand in memory beside the cache of
 * server state, where a browser without storage has them too, and on the device, where they outlive the page.
 */
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { forgetTask, type RememberedTask, rememberedTasks, rememberTask } from "../../device/tasks.ts";
import { tellTabs } from "./tabs.ts";

const subject = "watched-tasks";
const none: readonly RememberedTask[] = [];

function keyOf(username: string): readonly string[] {
  return [subject, username];
}

/** From now on it is watched, here or in the tab that watches for all. */
export function watchTask(client: QueryClient, task: RememberedTask): void {
  const known = client.getQueryData<readonly RememberedTask[]>(keyOf(task.username)) ?? none;
  if (!task.begunHere && known.some(({ taskID }) => taskID === task.taskID)) return;
  noteWatched(client, [task]);
  tellTabs({ type: "begun", task });
  void rememberTask(task);
}

/** Another tab, or an earlier page, has begun to watch these. */
export function noteWatched(client: QueryClient, tasks: readonly RememberedTask[]): void {
  const username = tasks[0]?.username;
  if (username === undefined) return;
  client.setQueryDefaults([subject], { gcTime: Infinity });
  client.setQueryData<readonly RememberedTask[]>(keyOf(username), (known = none) => {
    const byId = new Map(known.map((task) => [task.taskID, task]));
    for (const task of tasks) {
      if (task.begunHere || !byId.has(task.taskID)) byId.set(task.taskID, task);
    }
    return [...byId.values()];
  });
}

/** What earlier pages left unfinished. */
export async function recallTasks(client: QueryClient, username: string): Promise<void> {
  noteWatched(client, await rememberedTasks(username));
}

export function unwatchTask(client: QueryClient, { username, taskID }: RememberedTask): void {
  client.setQueryData<readonly RememberedTask[]>(keyOf(username), (known = none) =>
    known.filter((task) => task.taskID !== taskID),
  );
  void forgetTask(username, taskID);
}

export function useWatchedTasks(username: string): readonly RememberedTask[] {
  return useQuery({
    queryKey: keyOf(username),
    queryFn: () => none,
    enabled: false,
    initialData: none,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;
}

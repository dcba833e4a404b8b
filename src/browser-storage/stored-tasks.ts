/** Deployments that this device watches, and those whose outcome it has shown in a notification. */
import { promisifyRequest } from "idb-keyval";
import type { DeploymentType } from "../contract/app/screens.ts";
import { getValue, keysStartingWith } from "./database.ts";
import { transactAsOwner } from "./owner.ts";

/** An unfinished deployment. Stored and sent to other tabs as it is: the field names are persisted names. */
export interface WatchedTask {
  readonly username: string;
  readonly taskID: string;
  readonly node: string;
  /** What the participant started; the wizard's words, so that its screen can be opened again. */
  readonly type: DeploymentType;
  /** False for a deployment that was started on another device: its form is not on this one. */
  readonly isStartedHere: boolean;
  /** Hash of the form that was submitted here, which identifies its draft. */
  readonly formHash?: string;
  /** When this device first knew of it, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Persisted names. */
const taskPrefix = ["owned", "task"] as const;
const notifiedPrefix = ["owned", "notified"] as const;

/**
 * Stores a task for pages that open later; open tabs receive it by broadcast. A task started on another device does not
 * replace one that was started here.
 */
export function saveTask(task: WatchedTask): Promise<void> {
  return transactAsOwner(task.username, undefined, async (store) => {
    const key = [...taskPrefix, task.taskID];
    if (task.isStartedHere || (await getValue(store, key)) === undefined) store.put(task, key);
  });
}

/** Call it when the task has finished, or when the server does not know it. */
export function deleteTask(username: string, taskID: string): Promise<void> {
  return transactAsOwner(username, undefined, (store) => void store.delete([...taskPrefix, taskID]));
}

export function readTasks(username: string): Promise<readonly WatchedTask[]> {
  return transactAsOwner<readonly WatchedTask[]>(
    username,
    [],
    (store) => promisifyRequest<WatchedTask[]>(store.getAll(keysStartingWith(...taskPrefix))),
    "readonly",
  );
}

/** Returns true once for each tag until the AS logs out: the caller then shows the notification. */
export function claimNotification(username: string, tag: string): Promise<boolean> {
  return transactAsOwner(username, false, async (store) => {
    const key = [...notifiedPrefix, tag];
    if ((await getValue(store, key)) !== undefined) return false;
    store.put(Date.now(), key);
    return true;
  });
}

/** Deployments that have not ended as far as this device knows, and those whose end it has told. */
import { promisifyRequest } from "idb-keyval";
import { asOwner } from "./owner.ts";
import { startingWith, valueAt } from "./store.ts";

export interface RememberedTask {
  readonly username: string;
  readonly taskID: string;
  readonly node: string;
  /** What the person set out to do; the wizard's words, so that its screen can be opened again. */
  readonly type: "new" | "edit" | "delete";
  /** False where it was only heard of: begun on another device, its form is not on this one. */
  readonly begunHere: boolean;
  /** A mark of the form that was submitted here, by which its draft is known again. */
  readonly submitted?: string;
  /** When this device first knew of it, milliseconds since 1970. */
  readonly startedAt: number;
}

/** From now on it is watched, by whichever page is open. Who only heard of it does not replace who began it. */
export function rememberTask(task: RememberedTask): Promise<void> {
  return asOwner(task.username, undefined, async (store) => {
    const key = ["own", "task", task.taskID];
    if (task.begunHere || (await valueAt(store, key)) === undefined) store.put(task, key);
  });
}

/** It has ended, or the server does not know it. */
export function forgetTask(username: string, taskID: string): Promise<void> {
  return asOwner(username, undefined, (store) => void store.delete(["own", "task", taskID]));
}

export function rememberedTasks(username: string): Promise<readonly RememberedTask[]> {
  return asOwner<readonly RememberedTask[]>(
    username,
    [],
    (store) => promisifyRequest<RememberedTask[]>(store.getAll(startingWith("own", "task"))),
    "readonly",
  );
}

/** True for the first who asks about this tag, for as long as the person stays signed in: they may tell it. */
export function claimTelling(username: string, tag: string): Promise<boolean> {
  return asOwner(username, false, async (store) => {
    const key = ["own", "told", tag];
    if ((await valueAt(store, key)) !== undefined) return false;
    store.put(Date.now(), key);
    return true;
  });
}

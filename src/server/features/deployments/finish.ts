import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import { enqueueMessage } from "../push/messages.ts";
import { type DesiredPeering, putDesired, removeDesired } from "../peerings/desired.ts";
import type { TaskRow } from "./tasks.ts";

export interface Ending {
  readonly status: "success" | "failed" | "error";
  readonly steps: readonly string[];
  readonly reason: string;
}

/**
 * Ends a task, once: a later ending of the same task changes nothing and answers false.
 *
 * In the same transaction what is desired becomes what the person is told: after a success the new state,
 * otherwise the one before, under a new generation so that a late answer for the failed one is outdated; and
 * a push message is written for every browser of the AS that wants to be told.
 */
export async function finishTask(db: Db, task: TaskRow, ending: Ending, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const restored = await takeGeneration(tx);
    const { numUpdatedRows } = await tx
      .updateTable("tasks")
      .set({
        status: ending.status,
        steps: JSON.stringify(ending.steps),
        reason: ending.reason,
        ended_at: now,
      })
      .where("id", "=", task.id)
      .where("status", "=", "waiting")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (ending.status !== "success") await restore(tx, task, restored);
    else if (task.kind === "delete") await removeDesired(tx, task.asn, task.node);
    const { id: taskID, asn: username, node, kind } = task;
    const { status } = ending;
    await enqueueMessage(tx, { type: "deployment", username, taskID, node, kind, status }, now);
    return true;
  });
}

async function restore(tx: Db, task: TaskRow, generation: number): Promise<void> {
  if (task.previous === null) await removeDesired(tx, task.asn, task.node);
  else await putDesired(tx, { ...(JSON.parse(task.previous) as DesiredPeering), generation });
}

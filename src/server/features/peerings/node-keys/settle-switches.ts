/**
 * Takes over how the deployments of keys ended.
 *
 * Invariant: a deployment's end is taken over once, in the transaction that writes the notices about it.
 */
import type { Db } from "#server/db/open.ts";
import { findTasks, type TaskRow } from "../deployment/task-store.ts";
import { notifyOfKey, type WriteNotice } from "./notify-of-key.ts";

export interface SettleDeps {
  readonly db: Db;
  readonly writeNotice: WriteNotice;
}

/** Returns the AS numbers that are notified. */
export async function settleSwitches({ db, writeNotice }: SettleDeps): Promise<readonly string[]> {
  const open = await db
    .selectFrom("node_key_switches")
    .selectAll()
    .where((row) => row.or([row("deployed_at", "is", null), row("return_task", "is not", null)]))
    .execute();
  const tasks = await findTasks(
    db,
    open.map((row) => row.return_task ?? row.task),
  );
  const ended = new Map(
    tasks.filter(({ ended_at: endedAt }) => endedAt !== null).map((task) => [task.id, task]),
  );
  const notified: string[] = [];
  for (const { asn, node, task: id, return_task: returnId, by_server: byServer } of open) {
    const task = ended.get(returnId ?? id);
    if (!task) continue;
    const isSuccess = task.status === "success";
    const isNotified = await db.transaction().execute(async (tx) => {
      if (returnId === null) {
        const isSettled = await (isSuccess ? startWatching(tx, id, task) : deleteSwitch(tx, id));
        if (!isSettled || !isSuccess || byServer === 0) return false;
        await notifyOfKey(tx, writeNotice, { notice: "nodeKeyChanged", asn, node, at: endOf(task) });
        return true;
      }
      // A failed return leaves the new key in place: the tunnel is observed again before the next try.
      const isSettled = await (isSuccess ? deleteSwitch(tx, id) : watchAgain(tx, id, task));
      if (!isSettled || !isSuccess) return false;
      await notifyOfKey(tx, writeNotice, { notice: "nodeKeyReturned", asn, node, at: endOf(task) });
      return true;
    });
    if (isNotified) notified.push(asn);
  }
  return notified;
}

function endOf({ ended_at: endedAt, created_at: createdAt }: TaskRow): number {
  return endedAt ?? createdAt;
}

async function startWatching(tx: Db, id: string, task: TaskRow): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("node_key_switches")
    .set({ deployed_at: endOf(task) })
    .where("task", "=", id)
    .where("deployed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function watchAgain(tx: Db, id: string, task: TaskRow): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("node_key_switches")
    .set({ return_task: null, seen_at: endOf(task), watched_from: endOf(task) })
    .where("task", "=", id)
    .where("return_task", "=", task.id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function deleteSwitch(tx: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("node_key_switches")
    .where("task", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

import type { CodedFacts } from "#contract/agent/findings.ts";
import type { AuditKind } from "#domain/audit-events.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Events } from "#server/db/events.ts";
import { takeGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { lockPeering } from "#server/db/peering-locks.ts";
import { enqueueMessage } from "#server/push/messages.ts";
import { type DesiredPeering, putDesired, removeDesired } from "../desired-peerings.ts";
import { endConflicts, type PeeringConflict, putConflicts } from "../conflicts/peering-conflicts.ts";
import { describeReason, serializeReason, type TaskRow } from "./task-store.ts";

export interface DeploymentResult {
  readonly status: "success" | "failed" | "error";
  readonly steps: readonly CodedFacts[];
  /** Why it did not succeed; null otherwise. */
  readonly reason: Finding | null;
  /** The node's version, if the task failed because the database does not know it. */
  readonly conflict?: PeeringConflict;
}

export interface FinishDeps {
  readonly db: Db;
  readonly events: Pick<Events, "publishIn">;
  readonly clock: () => number;
}

/**
 * Finishes a task once: a second result of the same task changes nothing and returns false.
 *
 * In the same transaction the desired state becomes what the result says. After a success it is the new state.
 * Otherwise the previous state returns under a new generation, which outdates a late response for the failed one; a
 * conflict is stored with it, so that the node is not changed back to the previous state.
 * The transaction also publishes the end, and writes a push message for every subscribed browser of the AS, unless the deletion of its account
 * has reported the same result before.
 */
export async function finishTask(
  { db, events, clock }: FinishDeps,
  task: TaskRow,
  result: DeploymentResult,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockPeering(tx, task);
    const now = clock();
    const { numUpdatedRows } = await tx
      .updateTable("tasks")
      .set({
        status: result.status,
        steps: JSON.stringify(result.steps),
        reason: serializeReason(result.reason),
        ended_at: now,
      })
      .where("id", "=", task.id)
      .where("status", "=", "waiting")
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    if (result.status !== "success") await restore(tx, task);
    else if (task.kind === "delete") {
      await removeDesired(tx, task.asn, task.node);
      // That of a node that was removed from the profile.
      await endConflicts(tx, task.node, [task.asn]);
    }
    if (result.conflict) await putConflicts(tx, task.node, [result.conflict], now);
    const { id: taskID, asn: username, node, kind } = task;
    const { status } = result;
    const ended = {
      ...task,
      status,
      steps: JSON.stringify(result.steps),
      reason: serializeReason(result.reason),
    };
    const detail = describeReason(ended);
    const event = { kind: kindOf(task, result), asn: task.asn, node, task: taskID, detail };
    await recordEvent(tx, event, noOrigin, now);
    await events.publishIn(tx, "taskChanged", { asn: task.asn, taskID });
    if (await hasReported(tx, task, status)) return true;
    await enqueueMessage(tx, { type: "deployment", username, taskID, node, kind, status }, now);
    return true;
  });
}

/**
 * Whether the running deletion of an account has already tried to remove this peering, with the same result. It retries
 * for as long as a node is unreachable, and the participant needs to know that once.
 */
async function hasReported(
  tx: Db,
  { id, asn, node, kind }: TaskRow,
  status: DeploymentResult["status"],
): Promise<boolean> {
  if (kind !== "delete") return false;
  const previous = await tx
    .selectFrom("tasks")
    .innerJoin("account_deletions", "account_deletions.asn", "tasks.asn")
    .select("tasks.status")
    .where("account_deletions.state", "=", "running")
    .whereRef("tasks.created_at", ">=", "account_deletions.started_at")
    .where("tasks.asn", "=", asn)
    .where("tasks.node", "=", node)
    .where("tasks.kind", "=", "delete")
    .where("tasks.id", "!=", id)
    .orderBy("tasks.generation", "desc")
    .limit(1)
    .executeTakeFirst();
  return previous?.status === status;
}

function kindOf({ kind }: TaskRow, { status }: DeploymentResult): AuditKind {
  if (kind === "delete") return status === "success" ? "deletion-succeeded" : "deletion-failed";
  return status === "success" ? "deployment-succeeded" : "deployment-failed";
}

async function restore(tx: Db, { asn, node, previous }: TaskRow): Promise<void> {
  if (previous === null) return removeDesired(tx, asn, node);
  const generation = await takeGeneration(tx, node);
  await putDesired(tx, { ...(JSON.parse(previous) as DesiredPeering), generation });
}

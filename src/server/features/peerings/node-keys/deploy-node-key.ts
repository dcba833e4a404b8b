/** Deployments that give a tunnel another key of its node, and change nothing else. */
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Events } from "#server/db/events.ts";
import { takeGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { addTask, publishTask, type TaskRow } from "../deployment/task-store.ts";
import { type DesiredPeering, putDesired } from "../desired-peerings.ts";

export interface KeyDeploymentDeps {
  readonly events: Pick<Events, "publishIn">;
  readonly clock: () => number;
  readonly retentionClock: () => number;
  /** How long a deployment retries an unreachable node. */
  readonly waitMs: number;
}

export interface KeyDeployment {
  readonly before: DesiredPeering;
  /** Null: the node's first key. */
  readonly nodeKey: string | null;
  readonly kind: "node-key-switched" | "node-key-switched-by-server" | "node-key-returned";
  readonly origin: AuditOrigin;
}

/**
 * Adds the deployment, in the transaction that has locked the peering and found it without another one. The revision stays: the
 * form of the peering does not have this key.
 */
export async function deployNodeKey(
  tx: Db,
  { events, clock, retentionClock, waitMs }: KeyDeploymentDeps,
  { before, nodeKey, kind, origin }: KeyDeployment,
): Promise<TaskRow> {
  const { asn, node, request } = before;
  const { nodeKey: _old, ...others } = before.peering;
  const generation = await takeGeneration(tx, node);
  const peering = nodeKey === null ? others : { ...others, nodeKey };
  await putDesired(tx, { ...before, generation, peering });
  const now = clock();
  const task = await addTask(
    tx,
    { asn, node, generation, request, previous: JSON.stringify(before), waitMs },
    { now, retentionTime: retentionClock() },
  );
  await recordEvent(tx, { kind, asn, node, task: task.id }, origin, now);
  await publishTask(events, tx, task);
  return task;
}

/** Marks the key of a tunnel as switched by this task, until a handshake with it. */
export async function putSwitch(tx: Db, { asn, node, id }: TaskRow, byServer: boolean): Promise<void> {
  const values = {
    task: id,
    by_server: byServer ? 1 : 0,
    deployed_at: null,
    watched_from: null,
    seen_at: null,
    return_task: null,
  };
  await tx
    .insertInto("node_key_switches")
    .values({ asn, node, ...values })
    .onConflict((conflict) => conflict.columns(["asn", "node"]).doUpdateSet(values))
    .execute();
}

/**
 * Removes a node from the database with its peerings and conflicts, in one transaction. The server then takes the peerings down on
 * the node (`node-removals.ts`). What else the node runs is not in the database: if the node joins again, each such peering is a
 * conflict, which the operator can recover (`assess-node.ts`). So no deletion task is added here.
 */
import { randomUUID } from "node:crypto";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { enqueueMessage } from "#server/push/messages.ts";
import { findUnfinishedOnNode } from "../deployment/task-store.ts";
import { type DesiredPeering, findDesiredOnNode, removeDesired } from "../desired-peerings.ts";
import { countOf } from "#domain/text/plural.ts";
import type { RemovedPeering } from "./pending-removals.ts";

export interface RemoveNodeDeps {
  readonly db: Db;
  readonly clock: () => number;
  /** Writes the notice of which a mail is made, in the transaction. */
  readonly writeNotice: (tx: Db, notice: ForgottenPeering) => Promise<void>;
}

export interface NodeRemoval {
  readonly node: string;
  /** Participants read it in Activity; null without one. */
  readonly reason: string | null;
  /** Whether the node runs on as it is. */
  readonly keep: boolean;
}

interface ForgottenPeering {
  readonly asn: string;
  readonly node: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Deployments on the node have not finished. */
export class NodeDeployingError extends Error {
  override readonly name = "NodeDeployingError";
  readonly asns: readonly string[];

  constructor(asns: readonly string[]) {
    super(`${countOf(asns.length, "peering has", "peerings have")} an unfinished deployment`);
    this.asns = asns;
  }
}

/**
 * Removes the node, or what the database still has of a node that it does not have. Returns its peerings.
 *
 * @throws {NodeDeployingError} if a task of the node is unfinished; nothing is changed then
 */
export async function removeNode(
  { db, clock, writeNotice }: RemoveNodeDeps,
  { node, reason, keep }: NodeRemoval,
): Promise<readonly DesiredPeering[]> {
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const unfinished = await findUnfinishedOnNode(tx, node);
    if (unfinished.length > 0) throw new NodeDeployingError(unfinished.map(({ asn }) => asn));
    const peerings = await findDesiredOnNode(tx, node);
    const at = clock();
    const why = reason === null ? {} : { detail: `Reason: ${reason}` };
    for (const { asn, request } of peerings) {
      await removeDesired(tx, asn, node);
      await recordEvent(tx, { kind: "node-forgotten", asn, node, before: request, ...why }, noOrigin, at);
      await writeNotice(tx, { asn, node, at });
      await enqueueMessage(tx, { type: "nodeForgotten", username: asn, node }, at);
    }
    await tx.deleteFrom("peering_conflicts").where("node", "=", node).execute();
    if (!keep) await addRemoval(tx, node, peerings, at);
    await tx.deleteFrom("nodes").where("name", "=", node).execute();
    // A node of the same name may have another key.
    await tx.deleteFrom("node_facts").where("node", "=", node).execute();
    await tx.deleteFrom("node_rekeys").where("node", "=", node).execute();
    await recordEvent(tx, { kind: "node-removed", asn: null, node, ...why }, noOrigin, at);
    return peerings;
  });
}

/** Lets the server take the peerings down, if the database has deployed any to the node. */
async function addRemoval(
  tx: Db,
  node: string,
  peerings: readonly DesiredPeering[],
  removed_at: number,
): Promise<void> {
  const row = await tx
    .selectFrom("nodes")
    .select(["name", "agent_url", "agent_fingerprint"])
    .where("name", "=", node)
    .executeTakeFirst();
  const task = await tx.selectFrom("tasks").select("id").where("node", "=", node).limit(1).executeTakeFirst();
  if (!row || (peerings.length === 0 && !task)) return;
  const listed: readonly RemovedPeering[] = peerings.map(({ asn, generation }) => ({ asn, generation }));
  await tx
    .insertInto("removed_nodes")
    .values({ id: randomUUID(), ...row, removed_at, peerings: JSON.stringify(listed) })
    .execute();
}

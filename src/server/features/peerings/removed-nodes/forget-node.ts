/**
 * Removes a node that is not in the profile any more from the database, with its peerings and conflicts. Nothing changes on
 * the node. If it returns to the profile, what it runs is not in the database: each peering is a conflict, which the
 * operator can recover, except those that participants had deleted (`assess-node.ts`). So no deletion task is added here.
 */
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { enqueueMessage } from "#server/push/messages.ts";
import { findUnfinishedOnNode } from "../deployment/task-store.ts";
import { type DesiredPeering, findDesiredOnNode, removeDesired } from "../desired-peerings.ts";
import { countOf } from "#domain/text/plural.ts";

export interface ForgetNodeDeps {
  readonly db: Db;
  readonly clock: () => number;
  /** Writes the notice of which a mail is made, in the transaction. */
  readonly writeNotice: (tx: Db, notice: ForgottenPeering) => Promise<void>;
}

export interface ForgottenPeering {
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
 * Forgets the node in one transaction, and returns its peerings.
 *
 * @param reason that participants read in Activity; null without one
 * @throws {NodeDeployingError} if a task of the node is unfinished
 */
export async function forgetNode(
  { db, clock, writeNotice }: ForgetNodeDeps,
  node: string,
  reason: string | null,
): Promise<readonly DesiredPeering[]> {
  return db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    const unfinished = await findUnfinishedOnNode(tx, node);
    if (unfinished.length > 0) throw new NodeDeployingError(unfinished.map(({ asn }) => asn));
    const peerings = await findDesiredOnNode(tx, node);
    const at = clock();
    for (const { asn, request } of peerings) {
      await removeDesired(tx, asn, node);
      const detail = reason === null ? {} : { detail: `Reason: ${reason}` };
      await recordEvent(tx, { kind: "node-forgotten", asn, node, before: request, ...detail }, noOrigin, at);
      await writeNotice(tx, { asn, node, at });
      await enqueueMessage(tx, { type: "nodeForgotten", username: asn, node }, at);
    }
    await tx.deleteFrom("peering_conflicts").where("node", "=", node).execute();
    return peerings;
  });
}

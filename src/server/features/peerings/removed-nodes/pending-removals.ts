/** Removed nodes on which the server still has to take peerings down. */
import type { Finding } from "#domain/findings/findings.ts";
import { toIdTime } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";

/** A peering that the database had on a removed node. */
export interface RemovedPeering {
  readonly asn: string;
  readonly generation: number;
}

export interface PendingRemoval {
  readonly id: string;
  readonly node: string;
  /** As in `ProviderNode`. */
  readonly agent: { readonly url: string; readonly fingerprint: string } | null;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
  readonly peerings: readonly RemovedPeering[];
}

/** The oldest first. */
export async function listPendingRemovals(db: Db): Promise<readonly PendingRemoval[]> {
  const rows = await db.selectFrom("removed_nodes").selectAll().orderBy("removed_at").execute();
  return rows.map(({ id, name, agent_url: url, agent_fingerprint: fingerprint, removed_at, peerings }) => ({
    id,
    node: name,
    agent: url === null || fingerprint === null ? null : { url, fingerprint },
    removedAt: removed_at,
    peerings: JSON.parse(peerings) as readonly RemovedPeering[],
  }));
}

/** Whether it has not ended: by itself, by the operator, or because the node has joined again. */
export async function isPending(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom("removed_nodes").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** Ends the removal without taking anything down. Returns false if it has ended. */
export async function endRemoval(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("removed_nodes").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How long the node of a removal may not respond before the operator reads of it. */
const quietMs = 10 * 60_000;

/** Returns the finding about a removal that waits for its node; null while it has just begun. */
export function findOverdue({ node, removedAt, peerings }: PendingRemoval, now: number): Finding | null {
  if (now - removedAt < quietMs) return null;
  return { code: "removed-node-pending", facts: { node, peerings: peerings.length } };
}

/** Returns what the audit log says about the end of a node's removal since then; null if the server has not ended one. */
export async function readRemovalEnd(db: Db, node: string, since: number): Promise<string | null> {
  const row = await db
    .selectFrom("audit_events")
    .select("detail")
    .where("kind", "=", "node-cleared")
    .where("node", "=", node)
    .where("id", ">=", toIdTime(since))
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.detail ?? null;
}

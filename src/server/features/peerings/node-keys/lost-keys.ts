/**
 * Moves peerings off keys that their node does not have any more, because its disk was replaced or it was set up again. The
 * reconciler deploys them: without that their tunnels could not run.
 */
import type { Db } from "#server/db/open.ts";
import { takeGeneration } from "#server/db/generation.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { findUnfinishedOnNode } from "../deployment/task-store.ts";
import { findDesired, putDesired } from "../desired-peerings.ts";

export interface NodeKeySet {
  readonly node: string;
  /** All keys of the node. */
  readonly keys: readonly string[];
  readonly now: number;
}

/**
 * Gives each tunnel with a lost key the node's first key, and forgets that the node has or gets a lost key. A peering that is being
 * deployed follows with the next call. Returns the AS numbers of the peerings.
 */
export async function dropLostKeys(tx: Db, { node, keys, now }: NodeKeySet): Promise<readonly string[]> {
  if (!(await hasLostKey(tx, node, keys))) return [];
  await lockAllPeerings(tx);
  await tx
    .updateTable("node_facts")
    .set({ current_key: null })
    .where("node", "=", node)
    .where("current_key", "not in", keys)
    .execute();
  await tx
    .updateTable("node_rekeys")
    .set({ old_key: null })
    .where("node", "=", node)
    .where("old_key", "not in", keys)
    .execute();
  // The agent creates another key for it, which is announced in its place, an hour after the first one at the earliest.
  await tx
    .updateTable("node_rekeys")
    .set({ new_key: null })
    .where("node", "=", node)
    .where("new_key", "not in", keys)
    .execute();
  const deploying = new Set((await findUnfinishedOnNode(tx, node)).map(({ asn }) => asn));
  const moved: string[] = [];
  for (const asn of await listLost(tx, node, keys)) {
    const before = await findDesired(tx, asn, node);
    if (!before || deploying.has(asn)) continue;
    const { nodeKey: _lost, ...peering } = before.peering;
    const generation = await takeGeneration(tx, node);
    await putDesired(tx, { ...before, generation, peering });
    await watchHandshake(tx, { asn, node, now });
    moved.push(asn);
  }
  return moved;
}

/**
 * After peerings were recovered from the node, new ones get the key of the last that was deployed there, if it is not the node's
 * first one.
 */
export async function adoptCurrentKey(tx: Db, node: string, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable("node_facts")
    .set((row) => ({
      current_key: row
        .selectFrom("peerings")
        .select("tunnel_key")
        .where("node", "=", node)
        .where("tunnel_key", "in", keys)
        .orderBy("generation", "desc")
        .limit(1),
    }))
    .where("node", "=", node)
    .where("current_key", "is", null)
    .execute();
}

async function hasLostKey(db: Db, node: string, keys: readonly string[]): Promise<boolean> {
  const facts = await db
    .selectFrom("node_facts")
    .select("current_key")
    .where("node", "=", node)
    .executeTakeFirst();
  const current = facts?.current_key ?? null;
  return (current !== null && !keys.includes(current)) || (await listLost(db, node, keys)).length > 0;
}

async function listLost(db: Db, node: string, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("peerings")
    .select("asn")
    .where("node", "=", node)
    .where("tunnel_key", "not in", keys)
    .orderBy("asn")
    .execute();
  return rows.map(({ asn }) => asn);
}

/** A handshake before now was with the lost key. */
async function watchHandshake(
  tx: Db,
  { asn, node, now }: { readonly asn: string; readonly node: string; readonly now: number },
): Promise<void> {
  const values = {
    task: `lost ${asn} ${node}`,
    by_server: 1,
    deployed_at: now,
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

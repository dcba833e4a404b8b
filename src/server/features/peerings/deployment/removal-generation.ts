import { takeGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { lockPeering } from "#server/db/peering-locks.ts";
import { findDesired } from "../desired-peerings.ts";
import { findUnfinishedOfPeering } from "./task-store.ts";

/**
 * Takes a generation above the node's, to remove a peering that is not in the database. Returns null if the peering is in
 * the database or being deployed, which the same transaction checks.
 *
 * @param mayRemove what else the transaction checks
 */
export async function takeRemovalGeneration(
  db: Db,
  node: string,
  { asn, generation }: { readonly asn: string; readonly generation: number },
  mayRemove: (tx: Db) => Promise<boolean> = async () => true,
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    await lockPeering(tx, { asn, node });
    const isUnknown = !(await findDesired(tx, asn, node)) && !(await findUnfinishedOfPeering(tx, asn, node));
    return isUnknown && (await mayRemove(tx)) ? takeGeneration(tx, node, generation) : null;
  });
}

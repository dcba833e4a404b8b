import { takeGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { findDesired } from "../desired-peerings.ts";
import { findUnfinishedOfPeering } from "./task-store.ts";

/**
 * Takes a generation, above that of the node, to remove a peering which the database does not have. Returns null if the
 * database has it, or is deploying it, in the same transaction.
 */
export async function takeRemovalGeneration(
  db: Db,
  node: string,
  { asn, generation }: { readonly asn: string; readonly generation: number },
): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const next = await takeGeneration(tx, generation);
    const isUnknown = !(await findDesired(tx, asn, node)) && !(await findUnfinishedOfPeering(tx, asn, node));
    return isUnknown ? next : null;
  });
}

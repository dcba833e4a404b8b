import { takeGeneration } from "../../db/generation.ts";
import type { Db } from "../../db/open.ts";
import type { DesiredPeering } from "./desired.ts";

/**
 * Gives a peering a generation past the one that its node holds, which an older backup of the database or a
 * half-ended change explains. Null when the peering is no longer what was seen: somebody else is at it.
 */
export async function goPast(db: Db, seen: DesiredPeering, held: number): Promise<number | null> {
  return db.transaction().execute(async (tx) => {
    const generation = await takeGeneration(tx, held);
    const { numUpdatedRows } = await tx
      .updateTable("peerings")
      .set({ generation })
      .where("asn", "=", seen.asn)
      .where("node", "=", seen.node)
      .where("generation", "=", seen.generation)
      .executeTakeFirst();
    return numUpdatedRows === 1n ? generation : null;
  });
}

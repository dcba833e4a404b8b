/**
 * The limit of removals that no task explains. The rows of peerings may have been deleted in the database by mistake,
 * all at once or one after the other.
 */
import { toIdTime } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";

const maxRemovals = 3;
const withinMs = 24 * 3_600_000;

/** Whether the server may remove `count` of them from a node by itself: at most three within 24 hours. */
export async function mayRemoveUnrecorded(
  db: Db,
  node: string,
  count: number,
  now: number,
): Promise<boolean> {
  const { removed } = await db
    .selectFrom("audit_events")
    .select(({ fn }) => fn.countAll().as("removed"))
    .where("id", ">", toIdTime(now - withinMs))
    .where("kind", "=", "unrecorded-peering-removed")
    .where("node", "=", node)
    .executeTakeFirstOrThrow();
  return Number(removed) + count <= maxRemovals;
}

import type { FieldError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import type { NodeProfile, Profile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import { countOf } from "#domain/text/plural.ts";

/** The number of recorded peerings of each node with at least one, including peerings that are being deleted. */
export async function countPeeringsByNode(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("peerings")
    .select(({ fn }) => ["node", fn.countAll().as("count")])
    .groupBy("node")
    .execute();
  return new Map(rows.map(({ node, count }) => [node, Number(count)]));
}

export type NewPeers = "open" | "full" | "closed";

/** Whether a node with a limit and so many peerings accepts new ones. */
export function readNewPeers(maxPeerings: number, count: number): NewPeers {
  if (maxPeerings === 0) return "closed";
  return count < maxPeerings ? "open" : "full";
}

/** Why the node accepts no further peering; null if it does. */
export async function findFullNodeError(
  db: Db,
  { name, maxPeerings }: NodeProfile,
  { domain }: Pick<Profile, "domain">,
): Promise<FieldError | null> {
  if (maxPeerings === null) return null;
  const { count } = await db
    .selectFrom("peerings")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("node", "=", name)
    .executeTakeFirstOrThrow();
  const newPeers = readNewPeers(maxPeerings, Number(count));
  if (newPeers === "open") return null;
  const limit = countOf(maxPeerings, "peering");
  const state = newPeers === "closed" ? "is closed to new peerings" : `is full: it accepts ${limit}`;
  return { field: "node", message: `${nodeHost(name, domain)} ${state}. Choose another node.` };
}

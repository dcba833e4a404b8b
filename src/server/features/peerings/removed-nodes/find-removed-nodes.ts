/** The nodes that are not in the profile any more, while the database still has peerings or conflicts of them. */
import type { Finding } from "#domain/findings/findings.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Db } from "#server/db/open.ts";

export interface RemovedNode {
  readonly node: string;
  readonly peerings: number;
  readonly conflicts: number;
}

/** Finds them, by name. They wait for the operator, who puts the node back into the profile or forgets it. */
export async function findRemovedNodes(
  db: Db,
  { nodes }: Pick<Profile, "nodes">,
): Promise<readonly RemovedNode[]> {
  const names = nodes.map(({ name }) => name);
  const count = async (table: "peerings" | "peering_conflicts") => {
    const rows = await db
      .selectFrom(table)
      .select(({ fn }) => ["node", fn.countAll().as("count")])
      .where("node", "not in", names)
      .groupBy("node")
      .execute();
    return new Map(rows.map((row) => [row.node, Number(row.count)]));
  };
  const [peerings, conflicts] = [await count("peerings"), await count("peering_conflicts")];
  return [...new Set([...peerings.keys(), ...conflicts.keys()])].toSorted().map((node) => ({
    node,
    peerings: peerings.get(node) ?? 0,
    conflicts: conflicts.get(node) ?? 0,
  }));
}

export function toFinding({ node, peerings, conflicts }: RemovedNode): Finding {
  return { code: "removed-node-peerings", facts: { node, peerings, conflicts } };
}

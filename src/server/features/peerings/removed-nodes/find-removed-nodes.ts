/** Nodes that the provider does not have, while the database still has peerings or conflicts of them. */
import type { Finding } from "#domain/findings/findings.ts";
import type { Db } from "#server/db/open.ts";

export interface RemovedNode {
  readonly node: string;
  readonly peerings: number;
  readonly conflicts: number;
}

/** Finds them, by name. They wait for the operator, who adds the node again or removes it. */
export async function findRemovedNodes(db: Db): Promise<readonly RemovedNode[]> {
  const count = async (table: "peerings" | "peering_conflicts") => {
    const rows = await db
      .selectFrom(table)
      .select(({ fn }) => ["node", fn.countAll().as("count")])
      .where("node", "not in", db.selectFrom("nodes").select("name"))
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

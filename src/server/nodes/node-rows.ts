/** The rows of the provider's nodes. A change of one takes `lockAllPeerings`, so that no submit relies on the row before. */
import type { Insertable, Selectable } from "kysely";
import type { Db } from "../db/open.ts";
import type { NodesTable } from "../db/schema/node-tables.ts";
import type { ProviderNode } from "./provider-node.ts";

/** Returns all nodes in their order: that of the profile, and later that of their joining. */
export async function readNodes(db: Db): Promise<readonly ProviderNode[]> {
  return (await readNodeRows(db)).map(fromRow);
}

export async function readNodeRows(db: Db): Promise<ReadonlyArray<Selectable<NodesTable>>> {
  return db.selectFrom("nodes").selectAll().orderBy("position").orderBy("name").execute();
}

/** Reads a node; null if the provider has no such node. */
export async function findNode(db: Db, name: string): Promise<ProviderNode | null> {
  const row = await db.selectFrom("nodes").selectAll().where("name", "=", name).executeTakeFirst();
  return row ? fromRow(row) : null;
}

/**
 * Adds nodes behind the others. Rejects if one has the name of another node. What a removed node of such a name still ran is not
 * taken down any more: the operator recovers or removes it.
 */
export async function addNodes(tx: Db, nodes: readonly ProviderNode[], now: number): Promise<void> {
  for (const { name } of nodes) await tx.deleteFrom("removed_nodes").where("name", "=", name).execute();
  const { last } = await tx
    .selectFrom("nodes")
    .select(({ fn }) => fn.max("position").as("last"))
    .executeTakeFirstOrThrow();
  for (const [index, node] of nodes.entries()) {
    const position = (last ?? 0) + index + 1;
    await tx
      .insertInto("nodes")
      .values({ name: node.name, position, joined_at: now, ...toRow(node) })
      .execute();
  }
}

/** Replaces what is stored of a node. */
export async function replaceNode(tx: Db, node: ProviderNode): Promise<void> {
  await tx.updateTable("nodes").set(toRow(node)).where("name", "=", node.name).execute();
}

export function fromRow(row: Selectable<NodesTable>): ProviderNode {
  const { agent_url: url, agent_fingerprint: fingerprint } = row;
  return {
    name: row.name,
    place: row.place,
    lat: row.lat,
    lon: row.lon,
    publicIp: row.public_ip,
    endpoints: JSON.parse(row.endpoints) as readonly string[],
    tunnelIpv4: row.tunnel_ipv4,
    linkLocal: row.link_local,
    maxPeerings: row.max_peerings,
    agent: url === null || fingerprint === null ? null : { url, fingerprint },
    state: row.state,
  };
}

function toRow(node: ProviderNode): Omit<Insertable<NodesTable>, "name" | "position" | "joined_at"> {
  return {
    place: node.place,
    lat: node.lat,
    lon: node.lon,
    public_ip: node.publicIp,
    endpoints: JSON.stringify(node.endpoints),
    tunnel_ipv4: node.tunnelIpv4,
    link_local: node.linkLocal,
    max_peerings: node.maxPeerings,
    agent_url: node.agent?.url ?? null,
    agent_fingerprint: node.agent?.fingerprint ?? null,
    state: node.state,
  };
}

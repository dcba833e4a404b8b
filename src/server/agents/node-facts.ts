import type { NodeIdentity } from "../../domain/peering/peering-rules.ts";
import type { Db } from "../db/open.ts";
import type { ProviderNode } from "../nodes/provider-node.ts";

/** A node's addresses, and its public keys as last stored; null before its agent was first reached. */
export async function readNodeIdentity(db: Db, node: ProviderNode): Promise<NodeIdentity> {
  const facts = await db
    .selectFrom("node_facts")
    .select(["public_key", "added_keys"])
    .where("node", "=", node.name)
    .executeTakeFirst();
  return {
    endpoints: node.endpoints,
    tunnelIpv4: node.tunnelIpv4,
    linkLocal: node.linkLocal,
    publicKey: facts?.public_key ?? null,
    addedKeys: parseAddedKeys(facts?.added_keys ?? null),
  };
}

function parseAddedKeys(json: string | null): readonly string[] {
  return json === null ? [] : (JSON.parse(json) as readonly string[]);
}

/** The public keys of new peerings on these nodes by name, as they were when each was last reached. */
export async function readNodeKeys(db: Db, nodes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await readKeyRows(db, nodes);
  return new Map(rows.map((row) => [row.node, row.current_key ?? row.public_key]));
}

/** The first public keys of these nodes by name, which tunnels without another one have. */
export async function readFirstNodeKeys(
  db: Db,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await readKeyRows(db, nodes);
  return new Map(rows.map((row) => [row.node, row.public_key]));
}

/** All public keys of these nodes. */
export async function listNodeKeys(db: Db, nodes: readonly string[]): Promise<readonly string[]> {
  const rows = await readKeyRows(db, nodes);
  return rows.flatMap((row) => [row.public_key].concat(parseAddedKeys(row.added_keys)));
}

async function readKeyRows(db: Db, nodes: readonly string[]) {
  if (nodes.length === 0) return [];
  return db
    .selectFrom("node_facts")
    .select(["node", "public_key", "added_keys", "current_key"])
    .where("node", "in", nodes)
    .execute();
}

/** The versions of the agents by node, as they were when each was last reached. */
export async function readAgentVersions(db: Db): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom("node_facts")
    .select(["node", "agent_version"])
    .where("agent_version", "is not", null)
    .$narrowType<{ agent_version: string }>()
    .execute();
  return new Map(rows.map((row) => [row.node, row.agent_version]));
}

import type { NodeIdentity } from "../../domain/peering/peering-rules.ts";
import type { NodeProfile } from "../config/profile.ts";
import type { Db } from "../db/open.ts";

/** A node's addresses from the profile, and its public key as last stored; null before its agent was first reached. */
export async function readNodeIdentity(db: Db, node: NodeProfile): Promise<NodeIdentity> {
  const facts = await db
    .selectFrom("node_facts")
    .select("public_key")
    .where("node", "=", node.name)
    .executeTakeFirst();
  return {
    endpoints: node.endpoints,
    tunnelIpv4: node.tunnelIpv4,
    linkLocal: node.linkLocal,
    publicKey: facts?.public_key ?? null,
  };
}

/** The public keys of these nodes by name, as they were when each was last reached. */
export async function readNodeKeys(db: Db, nodes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (nodes.length === 0) return new Map();
  const rows = await db
    .selectFrom("node_facts")
    .select(["node", "public_key"])
    .where("node", "in", nodes)
    .execute();
  return new Map(rows.map((row) => [row.node, row.public_key]));
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

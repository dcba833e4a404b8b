import type { NodeIdentity } from "../../../domain/peering-rules.ts";
import type { NodeProfile } from "../../config/profile.ts";
import type { Db } from "../../db/open.ts";
import type { Agents } from "./agents.ts";

/** What the profile and the last contact with its agent say of a node. */
export async function nodeIdentity(db: Db, node: NodeProfile): Promise<NodeIdentity> {
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

/** Asks a node who it is and remembers it, so that its key is known while it cannot be reached. */
export async function refreshFacts(db: Db, agents: Agents, node: string, now: number): Promise<void> {
  const { publicKey } = await agents.ask(node, "facts", undefined);
  await db
    .insertInto("node_facts")
    .values({ node, public_key: publicKey, seen_at: now })
    .onConflict((conflict) => conflict.column("node").doUpdateSet({ public_key: publicKey, seen_at: now }))
    .execute();
}

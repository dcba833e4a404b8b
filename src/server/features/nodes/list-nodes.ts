/** The nodes of the database as an operator's list shows them, with those that may join and those that are being removed. */
import type { Db } from "../../db/open.ts";
import { listValidJoins } from "../../nodes/node-joins.ts";
import { readNodes } from "../../nodes/node-rows.ts";
import type { NodeState, ProviderNode } from "../../nodes/provider-node.ts";
import { countPeeringsByNode, readNewPeers } from "../peerings/node-capacity.ts";
import { listPendingRemovals } from "../peerings/removed-nodes/pending-removals.ts";

export interface ListedNode extends ProviderNode {
  /** What participants see, but for `review`: `full` is an open node with as many peerings as its limit. */
  readonly shown: NodeState | "full";
  readonly peerings: number;
  /** Null until the agent was reached first. */
  readonly publicKey: string | null;
  readonly agentVersion: string | null;
  /** When the agent was last asked for its facts, ISO 8601. */
  readonly seenAt: string | null;
  readonly joinedAt: string;
}

export interface ListedNodes {
  readonly nodes: readonly ListedNode[];
  /** Nodes with a line that they can join by. */
  readonly joins: ReadonlyArray<{
    readonly node: string;
    readonly place: string;
    readonly validUntil: string;
  }>;
  /** Removed nodes on which the server still has to take peerings down. */
  readonly removed: ReadonlyArray<{
    readonly node: string;
    readonly removedAt: string;
    readonly peerings: readonly string[];
  }>;
}

export async function listNodes(db: Db, now: number): Promise<ListedNodes> {
  const facts = await db.selectFrom("node_facts").selectAll().execute();
  const rows = await db.selectFrom("nodes").select(["name", "joined_at"]).execute();
  const counts = await countPeeringsByNode(db);
  const joins = await listValidJoins(db, now);
  const nodes = (await readNodes(db)).map((node) => {
    const known = facts.find((each) => each.node === node.name);
    const peerings = counts.get(node.name) ?? 0;
    const isFull = readNewPeers(node, peerings) === "full";
    return Object.assign({}, node, {
      shown: isFull ? ("full" as const) : node.state,
      peerings,
      publicKey: known?.public_key ?? null,
      agentVersion: known?.agent_version ?? null,
      seenAt: known ? toIso(known.seen_at) : null,
      joinedAt: toIso(rows.find(({ name }) => name === node.name)?.joined_at ?? now),
    });
  });
  const removed = (await listPendingRemovals(db)).map(({ node, removedAt, peerings }) => ({
    node,
    removedAt: toIso(removedAt),
    peerings: peerings.map(({ asn }) => asn),
  }));
  return {
    nodes,
    joins: joins.map(({ node, place, expires_at }) => ({ node, place, validUntil: toIso(expires_at) })),
    removed,
  };
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}

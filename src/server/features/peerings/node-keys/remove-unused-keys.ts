/** Removes the keys from a node that no tunnel uses any more, except its first key, which it always has. */
import type { Logger } from "pino";
import { type AgentClient, NodeUnreachableError } from "#server/agents/agent-client.ts";
import type { Db } from "#server/db/open.ts";
import { listConflictsOnNode } from "../conflicts/peering-conflicts.ts";
import { findUnfinishedOnNode } from "../deployment/task-store.ts";
import type { DesiredPeering } from "../desired-peerings.ts";

export interface RemoveKeysDeps {
  readonly db: Db;
  readonly agents: Pick<AgentClient, "ask">;
  readonly log: Pick<Logger, "warn">;
}

/** Rejects like `AgentClient.ask`. A key that the node needs for a peering it runs stays. */
export async function removeUnusedKeys({ db, agents, log }: RemoveKeysDeps, node: string): Promise<void> {
  const { publicKey: first, keys } = await agents.ask(node, "facts", undefined);
  const used = new Set([first, ...(await listUsedKeys(db, node))]);
  for (const publicKey of keys) {
    if (used.has(publicKey)) continue;
    try {
      await agents.ask(node, "removeNodeKey", { publicKey });
    } catch (error) {
      if (!(error instanceof NodeUnreachableError) || !error.isBusy || error.isUpgrading) throw error;
      log.warn({ node, publicKey, err: error }, "the node keeps a WireGuard key that no peering should use");
    }
  }
}

/** The keys of the node that a tunnel has, gets, or has again if a deployment fails. */
async function listUsedKeys(db: Db, node: string): Promise<ReadonlyArray<string | null | undefined>> {
  const facts = await db
    .selectFrom("node_facts")
    .select("current_key")
    .where("node", "=", node)
    .executeTakeFirst();
  const peerings = await db
    .selectFrom("peerings")
    .select("tunnel_key")
    .distinct()
    .where("node", "=", node)
    .execute();
  const tasks = await findUnfinishedOnNode(db, node);
  const conflicts = await listConflictsOnNode(db, node);
  return [
    facts?.current_key,
    ...peerings.map((row) => row.tunnel_key),
    ...tasks.map(({ previous }) =>
      previous === null ? null : (JSON.parse(previous) as DesiredPeering).peering.nodeKey,
    ),
    ...conflicts.map(({ peering }) => peering?.nodeKey),
  ];
}

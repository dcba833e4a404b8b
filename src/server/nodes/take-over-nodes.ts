/**
 * Gives an empty database its nodes, once: those of `nodes.json` in the data folder if the database before it was lost, else
 * those of the provider profile.
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { ConfigError } from "../../system/config/config-error.ts";
import type { Profile } from "../config/profile.ts";
import type { Db } from "../db/open.ts";
import { addNodes, readNodes } from "./node-rows.ts";
import { nodesFileName, readNodesFile } from "./nodes-file.ts";
import { type ProviderNode, toProviderNode } from "./provider-node.ts";

const noNodes =
  "the database has no nodes. To add one: peerdeck nodes add. If another database was lost, take its nodes over from a " +
  "nodes.json, of its data folder or of a backup, and then their peerings: peerdeck recover --nodes FILE";

export interface TakeOverDeps {
  readonly db: Db;
  readonly profile: Pick<Profile, "nodes">;
  readonly dataDir: string;
  readonly clock: () => number;
  readonly log: Pick<Logger, "info" | "warn">;
  /** Whether each node must have an agent: a command reads a profile with which no server would start. */
  readonly needsAgents?: boolean;
}

/** Rejects with `ConfigError` if `nodes.json` cannot be read, or a node lacks its agent; nothing is taken over then. */
export async function takeOverNodes(deps: TakeOverDeps): Promise<void> {
  const { db, profile, dataDir, clock, log, needsAgents = false } = deps;
  if (!(await hasTakenOver(db))) {
    const stored = await readNodesFile(join(dataDir, nodesFileName));
    const nodes = stored ?? profile.nodes.map(toProviderNode);
    const incomplete = needsAgents ? nodes.find(({ agent }) => agent === null) : undefined;
    if (incomplete)
      throw new ConfigError(
        `The node ${incomplete.name} of the provider profile has no agent. Nothing was changed. Add [nodes.agent] with url and ` +
          "fingerprint, which peerdeck-agent setup prints, or remove the node from the profile.",
      );
    const isFirst = await db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto("nodes_taken_over")
        .values({ id: 1, at: clock() })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return false;
      await addNodes(tx, nodes, clock());
      return true;
    });
    const names = nodes.map(({ name }) => name);
    if (isFirst && stored !== null)
      log.warn({ nodes: names }, "the database had no nodes; those of nodes.json were taken over");
    else if (isFirst && names.length > 0)
      log.info({ nodes: names }, "the nodes of the provider profile were taken over into the database");
    if (isFirst && names.length > 0) return;
  }
  if ((await readNodes(db)).length === 0) log.warn(noNodes);
  if (profile.nodes.length > 0)
    log.info(
      "the nodes are in the database: [[nodes]] in the provider profile is ignored and can be removed",
    );
}

/** Reads the nodes of a database; null if it has not taken any over, because no server has run with it. */
export async function readTakenOverNodes(db: Db): Promise<readonly ProviderNode[] | null> {
  return (await hasTakenOver(db)) ? readNodes(db) : null;
}

async function hasTakenOver(db: Db): Promise<boolean> {
  return (await db.selectFrom("nodes_taken_over").select("id").executeTakeFirst()) !== undefined;
}

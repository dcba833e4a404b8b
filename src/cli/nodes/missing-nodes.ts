/** The nodes of a nodes.json that the database does not have, for `peerdeck recover --nodes`. */
import type { Db } from "#server/db/open.ts";
import { findMissingNodes, type MissingNodes } from "#server/nodes/missing-nodes.ts";
import { readNodes } from "#server/nodes/node-rows.ts";
import { readNodesFile } from "#server/nodes/nodes-file.ts";
import { ConfigError } from "#system/config/config-error.ts";

/** @throws {ConfigError} if the file does not exist or is no list of nodes */
export async function readMissingNodes(db: Db, path: string | null): Promise<MissingNodes> {
  if (path === null) return { missing: [], known: [], conflicts: [] };
  const ofFile = await readNodesFile(path);
  if (ofFile === null) throw new ConfigError(`--nodes: ${path} does not exist. Nothing was changed.`);
  return findMissingNodes(await readNodes(db), ofFile);
}

export function describeMissingNodes({ missing, known, conflicts }: MissingNodes): readonly string[] {
  const lines = [
    ...missing.map(
      ({ name, place, agent }) => `  add node   ${name}: ${place}, agent ${agent?.url ?? "none"}`,
    ),
    ...known.map((name) => `  same node  ${name}`),
    ...conflicts.map(({ node, reason }) => `  CONFLICT   ${node} is not added. ${reason}`),
  ];
  return lines.length === 0 ? [] : [lines.join("\n"), ""];
}

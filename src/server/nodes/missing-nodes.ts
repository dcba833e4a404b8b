/** The nodes of a file that the database does not have, for a database that was lost. */
import { noOrigin } from "../audit/audit-event.ts";
import { recordEvent } from "../audit/record-event.ts";
import { lockAllPeerings } from "../db/peering-locks.ts";
import { type ChangeNodeDeps, findSharedValues } from "./change-node.ts";
import { addNodes } from "./node-rows.ts";
import type { ProviderNode } from "./provider-node.ts";

export interface MissingNodes {
  readonly missing: readonly ProviderNode[];
  /** The names of nodes that the database has as the file does. */
  readonly known: readonly string[];
  /** Nodes that are not added, with the reasons as sentences. */
  readonly conflicts: ReadonlyArray<{ readonly node: string; readonly reason: string }>;
}

/** Compares the nodes of a file with those of the database. Their agents tell nodes of the same name apart. */
export function findMissingNodes(
  stored: readonly ProviderNode[],
  ofFile: readonly ProviderNode[],
): MissingNodes {
  const missing: ProviderNode[] = [];
  const known: string[] = [];
  const conflicts: Array<{ readonly node: string; readonly reason: string }> = [];
  for (const node of ofFile) {
    const same = stored.find(({ name }) => name === node.name);
    const isSameAgent =
      same?.agent?.fingerprint === node.agent?.fingerprint && same?.agent?.url === node.agent?.url;
    const shared = findSharedValues(node, [...stored, ...missing]);
    if (same && isSameAgent) known.push(node.name);
    else if (same) conflicts.push({ node: node.name, reason: "The database has it with another agent." });
    else if (shared.length > 0)
      conflicts.push({ node: node.name, reason: shared.map(({ message }) => message).join(" ") });
    else missing.push(node);
  }
  return { missing, known, conflicts };
}

export async function addMissingNodes(
  { db, clock }: ChangeNodeDeps,
  nodes: readonly ProviderNode[],
): Promise<void> {
  if (nodes.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    await addNodes(tx, nodes, clock());
    for (const { name } of nodes)
      await recordEvent(tx, { kind: "node-recovered", asn: null, node: name }, noOrigin, clock());
  });
}

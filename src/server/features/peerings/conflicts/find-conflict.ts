/**
 * Decides whether a peering of a node contradicts the database: it was lost, restored from a backup, or is another one.
 *
 * Each peering is judged by itself. No rule depends on the counter of generations, which soon exceeds the generations
 * that a restored database has never seen.
 */
import type { AgentCalls } from "#contract/agent.ts";
import type { CallResponse } from "#contract/call.ts";

/** The version of an AS's peering that its agent stores; a deleted peering is not present. */
export type AppliedVersion = CallResponse<AgentCalls["generations"]>[number];

export interface DesiredVersion {
  readonly generation: number;
  readonly present: boolean;
}

/**
 * `missing`: the node runs it, the database does not have it. `outdated`: the node's version is newer, or is another
 * database's. `deleted`: it was deleted on the node, and the database still has it.
 */
export type ConflictReason = "missing" | "outdated" | "deleted";

/**
 * Returns why the node's version is a conflict; null if the database knows it. A known version may still differ from the
 * desired one.
 *
 * @param desired the version in the database; during a deployment the one before it
 * @param known.identity the identity of the database
 * @param known.isFromTask whether a task of this database brought this version to the node
 */
export function findConflict(
  applied: AppliedVersion,
  desired: DesiredVersion | undefined,
  known: { readonly identity: string; readonly isFromTask: boolean },
): ConflictReason | null {
  if (!applied.present) {
    const isDeleted = desired?.present === true && applied.generation >= desired.generation;
    return isDeleted && !known.isFromTask ? "deleted" : null;
  }
  const isOfAnother = applied.database !== known.identity;
  const isKnown = applied.generation === desired?.generation || known.isFromTask;
  if (isKnown && !isOfAnother) return null;
  return desired ? "outdated" : "missing";
}

/** Removes a peering that the database has, as the operator: the running server removes it from its node. */
import { setTimeout as pause } from "node:timers/promises";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { describeReason, findTask } from "#server/features/peerings/deployment/task-store.ts";
import { findDesired } from "#server/features/peerings/desired-peerings.ts";
import { describePeering } from "#server/features/peerings/recovery/describe-plan.ts";
import { deletePeering, type DeletionDeps } from "#server/features/peerings/submit.ts";
import { noOrigin } from "#server/audit/audit-event.ts";

export interface Removal {
  readonly asn: string;
  readonly node: string;
  /** Shown to the participant; null without one. */
  readonly reason: string | null;
  readonly apply: boolean;
  readonly print: (text: string) => void;
}

/** How long a removal waits for the server and for the node. Afterwards the peering stays. */
export const removalWaitMs = 24 * 3_600_000;
/** How long the command waits for the removal. */
const waitMs = 30_000;
const pollMs = 200;

/**
 * Returns whether the peering was removed, or would be; null if the database does not have it. Without `apply`, only
 * prints it.
 */
export async function removeStoredPeering(
  deps: DeletionDeps,
  { asn, node, reason, apply, print }: Removal,
): Promise<boolean | null> {
  const { db, profile } = deps;
  const stored = await findDesired(db, asn, node);
  if (!stored) return null;
  print(`${nodeHost(node, profile.domain)}\n  remove  ${describePeering(stored.peering)}`);
  if (reason !== null) print(`  reason  ${reason}`);
  if (!apply) return true;
  const event = { kind: "peering-removed", ...(reason !== null && { detail: `Reason: ${reason}` }) } as const;
  try {
    const { taskID } = await deletePeering(deps, asn, node, noOrigin, event);
    return await waitForEnd(deps, { asn, taskID, print });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    print(`  Not removed. ${error.message}`);
    return false;
  }
}

async function waitForEnd(
  { db }: DeletionDeps,
  { asn, taskID, print }: Pick<Removal, "asn" | "print"> & { readonly taskID: string },
): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
    const task = await findTask(db, asn, taskID);
    if (task && task.status !== "waiting") {
      const isRemoved = task.status === "success";
      print(
        isRemoved ? "  Removed from the node and the database." : `  Not removed. ${describeReason(task)}`,
      );
      return isRemoved;
    }
    await pause(pollMs);
  }
  print(
    "  The removal waits for the server and for the node, at most a day. " +
      "To see whether it still waits: peerdeck peerings --state deleting",
  );
  return false;
}

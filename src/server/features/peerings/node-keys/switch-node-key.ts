import type { Task } from "#contract/entities.ts";
import { HttpError } from "#contract/http-error.ts";
import { nodeHost } from "#contract/node-host.ts";
import { findFirstExcess } from "#server/api/rate-limits.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { lockPeering } from "#server/db/peering-locks.ts";
import { hasConflict } from "../conflicts/peering-conflicts.ts";
import { findRepeatedTask, findUnfinishedOfPeering, presentTask } from "../deployment/task-store.ts";
import { findDesired } from "../desired-peerings.ts";
import {
  changeCounts,
  conflictError,
  deploymentRunningError,
  peeringNotFoundError,
  type SubmissionDeps,
} from "../submit.ts";
import { deployNodeKey, putSwitch } from "./deploy-node-key.ts";
import { findAnnouncedRekey } from "./rekey-rows.ts";

/**
 * Gives the tunnel of a participant the new key of its node, which was announced. Repeating it during the deployment or
 * shortly after returns the same task.
 *
 * Throws `HttpError` 404 without a peering, 409 without an announced key, with a tunnel that has it, during another deployment
 * or while the node has another version of the peering, 429 as `submitPeering` does, and what `assertMayDeploy` throws.
 */
export async function switchNodeKey(
  deps: SubmissionDeps,
  asn: string,
  node: string,
  origin: AuditOrigin,
): Promise<Task> {
  const { db, profile, rateLimits, clock } = deps;
  const host = nodeHost(node, profile.domain);
  const counts = changeCounts(rateLimits, asn, node);
  // Before the transaction, as for a submit.
  const excess = await findFirstExcess(counts);
  const { task, isNew } = await db.transaction().execute(async (tx) => {
    await lockPeering(tx, { asn, node });
    const before = await findDesired(tx, asn, node);
    if (!before) throw peeringNotFoundError(asn, host);
    const unfinished = await findUnfinishedOfPeering(tx, asn, node);
    const current =
      unfinished ?? (await findRepeatedTask(tx, asn, node, JSON.stringify(before.request), clock()));
    const switched = await tx
      .selectFrom("node_key_switches")
      .select("task")
      .where("task", "=", current?.id ?? "")
      .executeTakeFirst();
    const rekey = await findAnnouncedRekey(tx, node);
    // The task may have been for the key that an earlier rekey announced.
    const isRepeated = rekey === null || before.peering.nodeKey === rekey.new_key;
    if (current && switched && isRepeated) return { task: current, isNew: false };
    if (unfinished) throw deploymentRunningError(host);
    if (!rekey) throw keyError(`${host} has no new public key to switch to. Nothing was changed.`);
    if (before.peering.nodeKey === rekey.new_key)
      throw keyError(`Your tunnel on ${host} already has the node's new public key. Nothing was changed.`);
    if (excess) throw excess;
    await deps.assertMayDeploy(tx, asn);
    if (await hasConflict(tx, asn, node)) throw conflictError(host, "Nothing was changed.");
    if (before.request.presharedKey === "unknown")
      throw keyError(
        `The pre-shared key of your peering on ${host} is on the node only. Nothing was changed. Enter the key in the form of the peering first.`,
      );
    const kind = "node-key-switched";
    const added = await deployNodeKey(tx, deps, { before, nodeKey: rekey.new_key, kind, origin });
    await putSwitch(tx, added, false);
    return { task: added, isNew: true };
  });
  if (isNew) for (const { limit, key } of counts) await limit.add(key);
  return presentTask(task);
}

function keyError(message: string): HttpError {
  return new HttpError(409, { message });
}

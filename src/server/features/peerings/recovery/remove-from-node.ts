import type { ApplyOutcome } from "#contract/agent.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { takeRemovalGeneration } from "../deployment/removal-generation.ts";
import { sendApply } from "../deployment/send-apply.ts";
import { describePeering } from "./describe-plan.ts";
import { pairPeerings } from "./pair-peerings.ts";
import { endConflicts } from "../conflicts/peering-conflicts.ts";
import type { StoredPeering } from "./plan-recovery.ts";
import { PlanOutdatedError, type RecoveryDeps } from "./recover-node.ts";

/**
 * Removes a peering that the database does not have from its node. Rejects with `PlanOutdatedError` if the database has it
 * or the node has another version, and like `AgentClient.ask`.
 */
export async function removeFromNode(
  { db, agents, clock }: RecoveryDeps,
  node: string,
  { asn, generation: applied, peering }: StoredPeering,
): Promise<ApplyOutcome> {
  const version = { asn, generation: applied };
  const generation = await takeRemovalGeneration(db, node, version);
  if (generation === null) throw new PlanOutdatedError(asn);
  const changed = await pairPeerings(agents, node, await readDatabaseIdentity(db), [version]);
  if (changed.length > 0) throw new PlanOutdatedError(asn);
  const request = { asn, generation, desired: null, knownGenerations: [applied] };
  const outcome = await sendApply({ db, agents }, node, request);
  if (outcome.outcome === "applied") {
    const detail = peering ? `It was ${describePeering(peering)}.` : "";
    await db.transaction().execute(async (tx) => {
      await endConflicts(tx, node, [asn]);
      await recordEvent(tx, { kind: "peering-removed", asn, node, detail }, noOrigin, clock());
    });
  }
  return outcome;
}

/**
 * Takes the peerings of a node over into the database.
 *
 * Each step can be repeated, so a crash between two of them is repaired by the next run: the peerings are written in one
 * transaction, then paired, and the stored conflicts end last. Until then the server changes nothing on the node.
 */
import { isDeepStrictEqual } from "node:util";
import type { AgentClient } from "#server/agents/agent-client.ts";
import { type AuditEvent, noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import { readMaxGeneration, takeGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { lockAllPeerings } from "#server/db/peering-locks.ts";
import { findUnfinishedOfPeering } from "../deployment/task-store.ts";
import {
  type DesiredPeering,
  findDesired,
  findDesiredOnNode,
  putDesired,
  removeDesired,
} from "../desired-peerings.ts";
import { assessNode } from "../deployment/assess-node.ts";
import { pairPeerings } from "./pair-peerings.ts";
import { endConflicts, listConflictsOnNode } from "../conflicts/peering-conflicts.ts";
import { planRecovery, type RecoveryPlan, type StoredPeering } from "./plan-recovery.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";

export interface RecoveryDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  readonly clock: () => number;
}

/** Reads the node and the database and plans the recovery. Rejects like `AgentClient.ask`. */
export async function readRecoveryPlan(
  deps: RecoveryDeps,
  { name: node, linkLocal }: { readonly name: string; readonly linkLocal: string },
): Promise<RecoveryPlan> {
  const { db, agents } = deps;
  const { deploying, conflicts } = await assessNode(deps, node);
  const desired = await findDesiredOnNode(db, node);
  const inConflict = new Set([...conflicts, ...(await listConflictsOnNode(db, node))].map(({ asn }) => asn));
  const stored = await readStored(deps, node);
  const ignored = agents.ignored.read().get(node) ?? 0;
  return planRecovery({ node, linkLocal, stored, desired, inConflict, deploying, ignored });
}

/** Reads what the node stores, without entries that no database gave it. Rejects like `AgentClient.ask`. */
export async function readStored(
  { db, agents }: RecoveryDeps,
  node: string,
): Promise<readonly StoredPeering[]> {
  const maxGeneration = await readMaxGeneration(db);
  const stored = await agents.ask(node, "peerings", undefined);
  return stored.filter(({ generation }) => generation <= maxGeneration);
}

/** The node or the database changed after the plan was made. */
export class PlanOutdatedError extends Error {
  override readonly name = "PlanOutdatedError";

  constructor(asn: string) {
    super(`The peering of AS${asn} changed meanwhile. Run the command again.`);
  }
}

/** Writes the plan. Rejects with `PlanOutdatedError` if it is outdated, and like `AgentClient.ask`. */
export async function applyRecoveryPlan(
  { db, agents, clock }: RecoveryDeps,
  plan: RecoveryPlan,
): Promise<void> {
  const { node, add, change, remove, pair, resolved } = plan;
  await db.transaction().execute(async (tx) => {
    await lockAllPeerings(tx);
    // Later numbers are higher than those that the node has.
    await takeGeneration(tx, node, plan.newestGeneration);
    for (const peering of add) await requireUnchanged(tx, peering, null);
    for (const before of [...change.map((one) => one.before), ...remove]) {
      await requireUnchanged(tx, before, before);
      await removeDesired(tx, before.asn, node);
    }
    for (const peering of [...change.map(({ after }) => after), ...add]) await putDesired(tx, peering);
    for (const event of listEvents(plan)) await recordEvent(tx, event, noOrigin, clock());
  });
  const changed = await pairPeerings(agents, node, await readDatabaseIdentity(db), pair);
  await endConflicts(
    db,
    node,
    resolved.filter((asn) => !changed.includes(asn)),
  );
  if (changed[0] !== undefined) throw new PlanOutdatedError(changed[0]);
}

function listEvents({ node, add, change, remove }: RecoveryPlan): readonly AuditEvent[] {
  const kind = "peering-recovered";
  return [
    ...add.map(({ asn, request }) => ({ kind, asn, node, after: request }) as const),
    ...change.map(
      ({ before, after }) =>
        ({ kind, asn: after.asn, node, before: before.request, after: after.request }) as const,
    ),
    ...remove.map(({ asn, request }) => ({ kind: "peering-forgotten", asn, node, before: request }) as const),
  ];
}

async function requireUnchanged(
  tx: Db,
  { asn, node }: DesiredPeering,
  planned: DesiredPeering | null,
): Promise<void> {
  const isSame = isDeepStrictEqual(await findDesired(tx, asn, node), planned);
  if (!isSame || (await findUnfinishedOfPeering(tx, asn, node))) throw new PlanOutdatedError(asn);
}

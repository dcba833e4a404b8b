import type { AgentClient } from "#server/agents/agent-client.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import { readMaxGeneration } from "#server/db/generation.ts";
import type { Db } from "#server/db/open.ts";
import { type AppliedVersion, findConflict } from "../conflicts/find-conflict.ts";
import type { PeeringConflict } from "../conflicts/peering-conflicts.ts";
import { readTaskEvidence, type VersionWithValues } from "../conflicts/task-evidence.ts";
import { type DesiredVersion, findVersionsOnNode } from "../desired-peerings.ts";
import { findUnfinishedOnNode } from "./task-store.ts";

export interface NodeAssessment {
  readonly applied: ReadonlyMap<string, AppliedVersion>;
  readonly desired: readonly DesiredVersion[];
  /** The AS numbers with an unfinished task. */
  readonly deploying: ReadonlySet<string>;
  readonly conflicts: readonly PeeringConflict[];
  /** The AS numbers whose version on the node differs from the desired one and was deployed by this database. */
  readonly replaceable: ReadonlySet<string>;
  /**
   * Peerings that the node runs, in this generation, and that this database deployed and then removed: their last task
   * was a deletion or a failed first deployment.
   */
  readonly unwanted: ReadonlyArray<{ readonly asn: string; readonly generation: number }>;
}

interface AssessmentDeps {
  readonly db: Db;
  readonly agents: AgentClient;
}

/**
 * Compares the applied peerings of a node with the database. The node is read before the database, so that a peering that
 * is deployed in between does not count as unknown. If they differ, the node is read again, because a task may have
 * finished in between. Rejects like `AgentClient.ask`.
 */
export async function assessNode({ db, agents }: AssessmentDeps, node: string): Promise<NodeAssessment> {
  const listed = await agents.ask(node, "generations", undefined);
  const maxGeneration = await readMaxGeneration(db);
  const plausible = listed.filter(({ generation }) => generation <= maxGeneration);
  agents.ignored.note(node, "generations that no database gave", listed.length - plausible.length);
  const applied = new Map(plausible.map((version) => [version.asn, version]));
  const [identity, desired, unfinished] = await Promise.all([
    readDatabaseIdentity(db),
    findVersionsOnNode(db, node),
    findUnfinishedOnNode(db, node),
  ]);
  const known = new Map(desired.map((peering) => [peering.asn, peering]));
  for (const { asn, previous } of unfinished) {
    if (previous === null) known.delete(asn);
    else known.set(asn, JSON.parse(previous) as DesiredVersion);
  }
  const deploying = new Set(unfinished.map(({ asn }) => asn));
  const conflictOf = (version: AppliedVersion, isFromTask: boolean) =>
    findConflict(version, known.get(version.asn), { identity, isFromTask });
  const differing = [...applied.values()].filter((version) => conflictOf(version, false) !== null);
  const compared = { applied, desired, deploying };
  if (differing.length === 0) return { ...compared, conflicts: [], replaceable: new Set(), unwanted: [] };

  const rows = new Set(desired.map(({ asn }) => asn));
  const conflicts: PeeringConflict[] = [];
  const unwanted: Array<{ readonly asn: string; readonly generation: number }> = [];
  const replaceable = new Set<string>();
  const asns = differing.map(({ asn }) => asn);
  const { isFromTask, requiresRow } = await readTaskEvidence(db, node, asns);
  const current = await readVersions(agents, node);
  for (const { asn, generation, present } of differing) {
    const version = current.get(asn);
    if (version?.generation !== generation || version.present !== present) continue;
    const hasNoRow = !rows.has(asn) && !deploying.has(asn);
    // A person or another program deleted the row: no task explains it. That is no reason to remove the peering.
    const isLost = hasNoRow && requiresRow(asn);
    const reason = conflictOf(version, isFromTask(version) && !isLost);
    if (reason !== null) conflicts.push({ asn, generation, reason, peering: version.peering });
    else replaceable.add(asn);
    if (reason === null && hasNoRow && present) unwanted.push({ asn, generation });
  }
  return { ...compared, conflicts, replaceable, unwanted };
}

async function readVersions(
  agents: AgentClient,
  node: string,
): Promise<ReadonlyMap<string, VersionWithValues>> {
  const stored = await agents.ask(node, "peerings", undefined);
  return new Map(stored.map((version) => [version.asn, { ...version, present: version.peering !== null }]));
}

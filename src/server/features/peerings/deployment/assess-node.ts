import type { AgentClient } from "#server/agents/agent-client.ts";
import { readDatabaseIdentity } from "#server/db/database-identity.ts";
import type { Db } from "#server/db/open.ts";
import { findUnfinishedOnNode } from "./task-store.ts";
import { type DesiredPeering, findDesiredOnNode } from "../desired-peerings.ts";
import { type AppliedVersion, findConflict } from "../conflicts/find-conflict.ts";
import type { PeeringConflict } from "../conflicts/peering-conflicts.ts";
import { readTaskEvidence, type VersionWithValues } from "../conflicts/task-evidence.ts";
import { mayRemoveUnrecorded } from "./unrecorded-removals.ts";

export interface NodeAssessment {
  readonly identity: string;
  readonly applied: ReadonlyMap<string, AppliedVersion>;
  readonly desired: readonly DesiredPeering[];
  /** The AS numbers with an unfinished task. */
  readonly deploying: ReadonlySet<string>;
  readonly conflicts: readonly PeeringConflict[];
  /** The AS numbers whose version on the node differs from the desired one and was deployed by this database. */
  readonly replaceable: ReadonlySet<string>;
  /** Peerings that this database deployed and no longer has, and that the node still runs. */
  readonly unwanted: readonly UnwantedPeering[];
}

export interface UnwantedPeering {
  readonly asn: string;
  /** The generation on the node. */
  readonly generation: number;
  /** Whether a task says why the database does not have it. */
  readonly isRecorded: boolean;
}

export interface AssessmentDeps {
  readonly db: Db;
  readonly agents: AgentClient;
  readonly clock: () => number;
}

/**
 * Compares what a node has applied with the database. The node is read before the database, so that a peering which
 * appears in between does not count as unknown. Where they differ, the node is read again, since a task may have finished
 * in between. Rejects like `AgentClient.ask`.
 */
export async function assessNode(
  { db, agents, clock }: AssessmentDeps,
  node: string,
): Promise<NodeAssessment> {
  const applied = new Map(
    (await agents.ask(node, "generations", undefined)).map((version) => [version.asn, version]),
  );
  const [identity, desired, unfinished] = await Promise.all([
    readDatabaseIdentity(db),
    findDesiredOnNode(db, node),
    findUnfinishedOnNode(db, node),
  ]);
  const known = new Map(desired.map((peering) => [peering.asn, peering]));
  for (const { asn, previous } of unfinished) {
    if (previous === null) known.delete(asn);
    else known.set(asn, JSON.parse(previous) as DesiredPeering);
  }
  const deploying = new Set(unfinished.map(({ asn }) => asn));
  const conflictOf = (version: AppliedVersion, isFromTask: boolean) =>
    findConflict(version, known.get(version.asn), { identity, isFromTask });
  const suspects = [...applied.values()].filter((version) => conflictOf(version, false) !== null);
  const compared = { identity, applied, desired, deploying };
  if (suspects.length === 0) return { ...compared, conflicts: [], replaceable: new Set(), unwanted: [] };

  const desiredAsns = new Set(desired.map(({ asn }) => asn));
  const conflicts: PeeringConflict[] = [];
  const unwanted: Array<UnwantedPeering & { readonly conflict: PeeringConflict }> = [];
  const replaceable = new Set<string>();
  const { isFromTask, isRemovalRecorded } = await readTaskEvidence(
    db,
    node,
    suspects.map(({ asn }) => asn),
  );
  const current = await readVersions(agents, node);
  for (const { asn, generation, present } of suspects) {
    const version = current.get(asn);
    if (version?.generation !== generation || version.present !== present) continue;
    const reason = conflictOf(version, isFromTask(version));
    const conflict = { asn, generation, reason: reason ?? "missing", peering: version.peering };
    if (reason !== null) conflicts.push(conflict);
    else replaceable.add(asn);
    if (reason === null && present && !desiredAsns.has(asn) && !deploying.has(asn))
      unwanted.push({ asn, generation, isRecorded: isRemovalRecorded(asn), conflict });
  }
  const unrecorded = unwanted.filter(({ isRecorded }) => !isRecorded);
  if (unrecorded.length === 0 || (await mayRemoveUnrecorded(db, node, unrecorded.length, clock())))
    return { ...compared, conflicts, replaceable, unwanted };
  for (const { asn } of unrecorded) replaceable.delete(asn);
  return {
    ...compared,
    conflicts: [...conflicts, ...unrecorded.map(({ conflict }) => conflict)],
    replaceable,
    unwanted: unwanted.filter(({ isRecorded }) => isRecorded),
  };
}

async function readVersions(
  agents: AgentClient,
  node: string,
): Promise<ReadonlyMap<string, VersionWithValues>> {
  const stored = await agents.ask(node, "peerings", undefined);
  return new Map(stored.map((version) => [version.asn, { ...version, present: version.peering !== null }]));
}

import { type AgentClient, AgentOutdatedError } from "../../../agents/agent-client.ts";
import { readDatabaseIdentity } from "../../../db/database-identity.ts";
import type { Db } from "../../../db/open.ts";
import { findUnfinishedOnNode } from "../deployment/task-store.ts";
import { type DesiredPeering, findDesiredOnNode } from "../desired-peerings.ts";
import { type AppliedVersion, findConflict } from "./find-conflicts.ts";
import type { PeeringConflict } from "./peering-conflicts.ts";
import { readTaskEvidence, type VersionWithValues } from "./task-evidence.ts";

export interface NodeAssessment {
  readonly identity: string;
  readonly applied: ReadonlyMap<string, AppliedVersion>;
  readonly desired: readonly DesiredPeering[];
  /** The AS numbers with an unfinished task. */
  readonly deploying: ReadonlySet<string>;
  readonly conflicts: readonly PeeringConflict[];
  /** The AS numbers of which the node has a version that differs from the desired one and that this database brought there. */
  readonly replaceable: ReadonlySet<string>;
}

/**
 * Compares what a node has applied with the database. The node is read before the database, so that a peering which
 * appears in between does not count as unknown. Where they differ, the node is read again, since a task may have finished
 * in between. Rejects like `AgentClient.ask`.
 */
export async function assessNode(db: Db, agents: AgentClient, node: string): Promise<NodeAssessment> {
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
  const conflictOf = (version: AppliedVersion, isFromTask: boolean) =>
    findConflict(version, known.get(version.asn), { identity, isFromTask });
  const suspects = [...applied.values()].filter((version) => conflictOf(version, false) !== null);

  const conflicts: PeeringConflict[] = [];
  const replaceable = new Set<string>();
  if (suspects.length > 0) {
    const isFromTask = await readTaskEvidence(
      db,
      node,
      suspects.map(({ asn }) => asn),
    );
    const current = await readVersions(agents, node);
    for (const { asn, generation, present } of suspects) {
      const version = current.get(asn);
      if (version?.generation !== generation || version.present !== present) continue;
      const reason = conflictOf(version, isFromTask(version));
      if (reason === null) replaceable.add(asn);
      else conflicts.push({ asn, generation, reason, peering: version.peering ?? null });
    }
  }
  const deploying = new Set(unfinished.map(({ asn }) => asn));
  return { identity, applied, desired, deploying, conflicts, replaceable };
}

async function readVersions(
  agents: AgentClient,
  node: string,
): Promise<ReadonlyMap<string, VersionWithValues>> {
  return new Map((await readValues(agents, node)).map((version) => [version.asn, version]));
}

async function readValues(agents: AgentClient, node: string): Promise<readonly VersionWithValues[]> {
  try {
    const stored = await agents.ask(node, "peerings", undefined);
    return Array.from(stored, (version) => ({ ...version, present: version.peering !== null }));
  } catch (error) {
    if (!(error instanceof AgentOutdatedError)) throw error;
    return agents.ask(node, "generations", undefined);
  }
}

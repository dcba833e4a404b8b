/**
 * Which versions of a node's peerings come from tasks of this database. A generation alone does not prove it: a restored
 * database gives out generations again that the node has from before. A task's values must be the same too.
 */
import type { Selectable } from "kysely";
import type { PublicPeering } from "#contract/agent.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import type { DesiredPeering } from "../desired-peerings.ts";
import type { AppliedVersion } from "./find-conflict.ts";
import { listDifferences } from "./peering-values.ts";

/** A version with its values; null for a deleted peering. */
export type VersionWithValues = AppliedVersion & { readonly peering: PublicPeering | null };

export interface TaskEvidence {
  /** Whether a task of this database brought the version to the node. */
  readonly isFromTask: (version: VersionWithValues) => boolean;
  /** Whether the database must have a peering of the AS: its last task is neither its deletion nor a failed first deployment. */
  readonly requiresRow: (asn: string) => boolean;
}

/** Reads the tasks of these ASes on the node. */
export async function readTaskEvidence(db: Db, node: string, asns: readonly string[]): Promise<TaskEvidence> {
  const tasks =
    asns.length === 0
      ? []
      : await db
          .selectFrom("tasks")
          .select(["asn", "generation", "kind", "status", "request", "previous"])
          .where("asn", "in", asns)
          .where("node", "=", node)
          .orderBy("generation", "desc")
          .execute();
  return {
    isFromTask: (version) =>
      tasks.some(
        (task) => task.asn === version.asn && (hasDeployed(task, version) || hasReplaced(task, version)),
      ),
    requiresRow(asn) {
      const last = tasks.find((task) => task.asn === asn);
      return last?.status === "success" ? last.kind === "deploy" : last?.previous !== null;
    },
  };
}

type TaskVersions = Pick<Selectable<Schema["tasks"]>, "generation" | "request" | "previous">;

function hasDeployed(
  { generation, request }: TaskVersions,
  { present, peering, ...version }: VersionWithValues,
) {
  if (generation !== version.generation || present !== (request !== null)) return false;
  if (request === null || peering === null) return true;
  const submitted = JSON.parse(request) as PeeringRequest;
  const { peerIpv6, customLocalIpv6, presharedKey: _source, ...others } = submitted;
  return (
    (Object.keys(others) as Array<keyof typeof others>).every(
      (key) => (others[key] ?? null) === (peering[key] ?? null),
    ) &&
    (peerIpv6 ?? peering.peerIpv6) === peering.peerIpv6 &&
    (customLocalIpv6 ?? peering.localIpv6) === peering.localIpv6
  );
}

/** The version before the task, which the task may have left in place. */
function hasReplaced({ previous }: TaskVersions, { peering, generation }: VersionWithValues) {
  if (previous === null || peering === null) return false;
  const before = JSON.parse(previous) as DesiredPeering;
  if (before.generation !== generation) return false;
  return listDifferences(before.peering, peering).length === 0;
}

/** Far more than needed: a node runs the version before a task, or the version of one of the last tasks. */
const maxKnownGenerations = 100;

/** Returns the generations of a peering that its tasks deployed or replaced, the newest first. */
export async function readKnownGenerations(db: Db, asn: string, node: string): Promise<number[]> {
  const tasks = await db
    .selectFrom("tasks")
    .select(["generation", "previous"])
    .where("asn", "=", asn)
    .where("node", "=", node)
    .orderBy("created_at", "desc")
    .limit(maxKnownGenerations / 2)
    .execute();
  return tasks.flatMap(({ generation, previous }) =>
    previous === null ? [generation] : [generation, (JSON.parse(previous) as DesiredPeering).generation],
  );
}

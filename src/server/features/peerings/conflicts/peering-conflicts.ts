/**
 * The stored conflicts between nodes and the database. While a node has one, the server neither changes nor removes
 * anything there by itself. They stay until an operator decides: `recover` takes the node's peerings into the database,
 * `remove-peering` removes one from the node.
 */
import { isDeepStrictEqual } from "node:util";
import type { PublicPeering } from "#contract/agent.ts";
import type { Finding } from "#domain/findings/findings.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { countEvents, recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import type { ConflictReason } from "./find-conflict.ts";

export interface PeeringConflict {
  readonly asn: string;
  /** The generation on the node. */
  readonly generation: number;
  readonly reason: ConflictReason;
  /** What the node runs; null for a deleted peering, and while it is not known. */
  readonly peering: PublicPeering | null;
}

export async function listConflictsOnNode(db: Db, node: string): Promise<readonly PeeringConflict[]> {
  const rows = await db.selectFrom("peering_conflicts").selectAll().where("node", "=", node).execute();
  return rows.map(({ asn, generation, reason, peering }) => ({
    asn,
    generation,
    reason,
    peering: peering === null ? null : (JSON.parse(peering) as PublicPeering),
  }));
}

export type ConflictsByNode = ReadonlyMap<string, ReadonlyArray<Pick<PeeringConflict, "reason">>>;

/** Returns all stored conflicts, by node. */
export async function listConflictsByNode(db: Db): Promise<ConflictsByNode> {
  const rows = await db.selectFrom("peering_conflicts").select(["node", "reason"]).orderBy("node").execute();
  return Map.groupBy(rows, ({ node }) => node);
}

export async function hasConflict(db: Db, asn: string, node: string): Promise<boolean> {
  const row = await db
    .selectFrom("peering_conflicts")
    .select("asn")
    .where("node", "=", node)
    .where("asn", "=", asn)
    .executeTakeFirst();
  return row !== undefined;
}

/** More than a node has peerings. A hostile agent invents more, and every form check reads those of its node. */
const maxConflicts = 2_000;
/** Of a node in a day, in the audit log. The stored conflicts are complete. */
const maxEvents = 100;
const dayMs = 24 * 3_600_000;

/**
 * Stores the conflicts of a node, and records those that are new, in the caller's transaction. Returns how many are not
 * stored because there are too many; first those of peerings that the database does not have.
 */
export async function putConflicts(
  tx: Db,
  node: string,
  conflicts: readonly PeeringConflict[],
  now: number,
): Promise<number> {
  const stored = new Map((await listConflictsOnNode(tx, node)).map((each) => [each.asn, each]));
  const changed = conflicts.filter((each) => !isDeepStrictEqual(stored.get(each.asn), each));
  const added = changed.filter(({ asn }) => !stored.has(asn));
  const room = Math.max(0, maxConflicts - stored.size);
  const [missing, others] = [true, false].map((isMissing) =>
    added.filter(({ reason }) => (reason === "missing") === isMissing),
  );
  const accepted = [...(others ?? []), ...(missing ?? [])].slice(0, room);
  for (const conflict of [...changed.filter(({ asn }) => stored.has(asn)), ...accepted])
    await putConflict(tx, node, conflict);
  if (accepted.length > 0) {
    const recorded = await countEvents(tx, { kind: "peering-conflict", node }, now - dayMs);
    for (const { asn } of accepted.slice(0, Math.max(0, maxEvents - recorded)))
      await recordEvent(tx, { kind: "peering-conflict", asn, node }, noOrigin, now);
  }
  return added.length - accepted.length;
}

async function putConflict(
  tx: Db,
  node: string,
  { asn, generation, reason, peering }: PeeringConflict,
): Promise<void> {
  const values = { generation, reason, peering: peering && JSON.stringify(peering) };
  await tx
    .insertInto("peering_conflicts")
    .values({ node, asn, ...values })
    .onConflict((conflict) => conflict.columns(["node", "asn"]).doUpdateSet(values))
    .execute();
}

export async function endConflicts(db: Db, node: string, asns: readonly string[]): Promise<void> {
  if (asns.length === 0) return;
  await db.deleteFrom("peering_conflicts").where("node", "=", node).where("asn", "in", asns).execute();
}

/** Returns the finding about the conflicts of a node; null without any. */
export function summarizeConflicts(
  conflicts: ReadonlyArray<Pick<PeeringConflict, "reason">>,
  host: string,
): Finding | null {
  const count = (reason: ConflictReason) => conflicts.filter((each) => each.reason === reason).length;
  if (conflicts.length === 0) return null;
  const [missing, outdated, deleted] = [count("missing"), count("outdated"), count("deleted")];
  return { code: "peering-conflicts", facts: { host, missing, outdated, deleted } };
}

/** Peerings that are being deployed or were a moment ago: their sessions may still be coming up. */
import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { peeringKey } from "../peering-key.ts";
import type { TaskRow } from "./task-store.ts";

/** How long the participant's router has after the end of a deployment. */
const settleMs = 2 * 60_000;

export interface SettlingPeerings {
  /** Whether the peering is being deployed, or a deployment has just ended, also without success. */
  readonly has: (asn: string, node: string) => boolean;
  /** Whether the node runs, or is about to run, what the participant has just deployed, and waits for the router. */
  readonly isAwaited: (asn: string, node: string) => boolean;
}

/** @param asns null for all */
export async function findSettlingPeerings(
  db: Db,
  asns: readonly string[] | null,
  now: number,
): Promise<SettlingPeerings> {
  // Without AS numbers, SQLite would read all tasks for the two conditions together.
  const [unfinished, ended] = await Promise.all(
    [selectUnfinished(db), db.selectFrom("tasks").where("ended_at", ">", now - settleMs)].map((query) =>
      query
        .$if(asns !== null, (all) => all.where("asn", "in", asns ?? []))
        .select(["asn", "node", "kind", "status"])
        .execute(),
    ),
  );
  const rows = [...(unfinished ?? []), ...(ended ?? [])];
  const [all, awaited] = [keysOf(rows), keysOf(rows.filter(isAwaited))];
  return {
    has: (asn, node) => all.has(peeringKey({ asn, node })),
    isAwaited: (asn, node) => awaited.has(peeringKey({ asn, node })),
  };
}

function keysOf(tasks: ReadonlyArray<Pick<TaskRow, "asn" | "node">>): ReadonlySet<string> {
  return new Set(tasks.map(peeringKey));
}

/** The tasks of the AS that have not ended, or have just ended. Newest first. */
export function findCurrentTasks(db: Db, asn: string, now: number): Promise<TaskRow[]> {
  return selectSettling(db, now).where("asn", "=", asn).selectAll().orderBy("created_at", "desc").execute();
}

/** Whether the node waits for the participant's router because of this task. */
export function isAwaited({ kind, status }: Pick<TaskRow, "kind" | "status">): boolean {
  return kind === "deploy" && (status === "waiting" || status === "success");
}

function selectUnfinished(db: Db) {
  return db.selectFrom("tasks").where("status", "=", sql.lit("waiting"));
}

/** The status is a literal, because SQLite does not use the partial index of unfinished tasks for a parameter. */
function selectSettling(db: Db, now: number) {
  return db
    .selectFrom("tasks")
    .where((row) => row.or([row("status", "=", sql.lit("waiting")), row("ended_at", ">", now - settleMs)]));
}

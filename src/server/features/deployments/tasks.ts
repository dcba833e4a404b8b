import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Task } from "../../../contract/entities.ts";
import type { PeeringRequest } from "../../../domain/peering-rules.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema.ts";
import { pickQuip } from "./quips.ts";

export type TaskRow = Selectable<Schema["tasks"]>;

/** That a deployment ended is known this long, for people who ask what became of theirs. */
const rememberMs = 30 * 24 * 3_600_000;

/** How long at most an unreachable node keeps a task waiting. */
export const longestWaitMs = 120_000;
/** A submit that equals the one deployed this recently is that one sent twice, not a wish to deploy again. */
const repeatMs = 60_000;

export interface NewTask {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  /** Null: the peering is to be deleted. */
  readonly request: PeeringRequest | null;
  /** What to restore when it fails, as JSON; null where nothing ran before. */
  readonly previous: string | null;
  /** How long an unreachable node keeps it waiting. */
  readonly waitMs: number;
}

/** Adds a task. Rejects when the peering has an unfinished one. */
export async function addTask(tx: Db, task: NewTask, now: number): Promise<TaskRow> {
  await forgetOld(tx, now);
  return tx
    .insertInto("tasks")
    .values({
      id: randomUUID(),
      asn: task.asn,
      node: task.node,
      kind: task.request === null ? "delete" : "deploy",
      status: "waiting",
      generation: task.generation,
      request: task.request && JSON.stringify(task.request),
      previous: task.previous,
      quip: pickQuip(),
      steps: "[]",
      reason: "",
      created_at: now,
      deadline_at: now + task.waitMs,
      ended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A task of this AS, or null. */
export async function findTask(db: Db, asn: string, id: string): Promise<TaskRow | null> {
  const row = await db
    .selectFrom("tasks")
    .selectAll()
    .where("id", "=", id)
    .where("asn", "=", asn)
    .executeTakeFirst();
  return row ?? null;
}

export async function unfinishedOfPeering(db: Db, asn: string, node: string): Promise<TaskRow | null> {
  const row = await unfinished(db).where("asn", "=", asn).where("node", "=", node).executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function unfinishedOfAs(db: Db, asn: string): Promise<TaskRow[]> {
  return unfinished(db).where("asn", "=", asn).orderBy("created_at", "desc").execute();
}

/** Oldest first. */
export async function unfinishedOnNode(db: Db, node: string): Promise<TaskRow[]> {
  return unfinished(db).where("node", "=", node).orderBy("created_at").execute();
}

export async function nodesWithUnfinished(db: Db): Promise<string[]> {
  const tasks = await unfinished(db).execute();
  return [...new Set(tasks.map(({ node }) => node))];
}

/** The task that already did what is asked for again, or null. */
export async function repeatedTask(
  db: Db,
  asn: string,
  node: string,
  request: string,
  now: number,
): Promise<TaskRow | null> {
  const latest = await db
    .selectFrom("tasks")
    .selectAll()
    .where("asn", "=", asn)
    .where("node", "=", node)
    .orderBy("generation", "desc")
    .limit(1)
    .executeTakeFirst();
  const same = latest?.status === "success" && latest.request === request;
  return same && now - (latest.ended_at ?? 0) < repeatMs ? latest : null;
}

/** So that the table does not grow for ever. */
async function forgetOld(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("tasks")
    .where("ended_at", "<", now - rememberMs)
    .execute();
}

/** Notes what an unfinished task waits for; false where that was known, or the task has ended. */
export async function noteWaiting(db: Db, id: string, reason: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("tasks")
    .set({ reason })
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .where("reason", "!=", reason)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function presentTask(row: TaskRow): Task {
  return {
    status: row.status,
    taskID: row.id,
    quip: row.quip,
    node: row.node,
    kind: row.kind,
    steps: JSON.parse(row.steps) as string[],
    reason: row.reason,
  };
}

/** The status is a literal, since SQLite uses the index of unfinished tasks for no parameter. */
function unfinished(db: Db) {
  return db.selectFrom("tasks").selectAll().where("status", "=", sql.lit("waiting"));
}

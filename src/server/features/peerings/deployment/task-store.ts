import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { PeerStatus, Task } from "#contract/entities.ts";
import type { CodedFacts } from "#contract/agent/findings.ts";
import { type Finding, readFinding } from "#domain/findings/findings.ts";
import { describeStep, type Step } from "#domain/findings/steps.ts";
import { describeFailure, describeTaskReason, type ReasonContext } from "#domain/findings/task-reason.ts";
import type { PeeringRequest } from "#domain/peering/fields/peering-request.ts";
import { isPostgres } from "#server/db/database-version.ts";
import type { Events } from "#server/db/events.ts";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { pickQuip } from "./quips.ts";

export type TaskRow = Selectable<Schema["tasks"]>;

/** How long finished tasks are stored, so that participants can look up their results. */
const taskRetentionMs = 30 * 24 * 3_600_000;

/** The first step of every task. */
export const acceptedStep: Step = { code: "accepted", facts: {} };

/** How long a task retries an unreachable node at most. */
export const maxWaitMs = 120_000;
/** A submit that equals one deployed within this time counts as the same submit sent twice. */
const repeatMs = 60_000;

export interface NewTask {
  readonly asn: string;
  readonly node: string;
  readonly generation: number;
  /** Null for a deletion. */
  readonly request: PeeringRequest | null;
  /** `DesiredPeering` as JSON, restored when the task fails; null for a new peering. */
  readonly previous: string | null;
  /** How long it retries an unreachable node. */
  readonly waitMs: number;
}

/** Adds a task. Rejects when the peering has an unfinished one. */
export async function addTask(
  tx: Db,
  task: NewTask,
  { now, retentionTime }: { readonly now: number; readonly retentionTime: number },
): Promise<TaskRow> {
  await deleteExpired(tx, retentionTime);
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
      steps: JSON.stringify([acceptedStep]),
      reason: "",
      created_at: now,
      deadline_at: now + task.waitMs,
      ended_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Tells the servers of a new task, with the transaction that adds it. */
export async function publishTask(
  events: Pick<Events, "publishIn">,
  tx: Db,
  { asn, id: taskID, node }: TaskRow,
): Promise<void> {
  await events.publishIn(tx, "task", { asn, taskID, node });
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

/** The tasks with these IDs, in no order. */
export async function findTasks(db: Db, ids: readonly string[]): Promise<TaskRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom("tasks").selectAll().where("id", "in", ids).execute();
}

export async function findUnfinishedOfPeering(db: Db, asn: string, node: string): Promise<TaskRow | null> {
  const row = await unfinished(db).where("asn", "=", asn).where("node", "=", node).executeTakeFirst();
  return row ?? null;
}

/** Newest first. */
export async function findUnfinishedOfAs(db: Db, asn: string): Promise<TaskRow[]> {
  return unfinished(db).where("asn", "=", asn).orderBy("created_at", "desc").execute();
}

/** The ended tasks of an AS that were created since then, oldest first. */
export async function findTasksSince(db: Db, asn: string, since: number): Promise<TaskRow[]> {
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("asn", "=", asn)
    .where("status", "!=", "waiting")
    .where("created_at", ">=", since)
    .orderBy("created_at")
    .execute();
}

/** Oldest first. */
export async function findUnfinishedOnNode(db: Db, node: string): Promise<TaskRow[]> {
  return unfinished(db).where("node", "=", node).orderBy("created_at").execute();
}

export async function findNodesWithUnfinished(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("tasks")
    .select("node")
    .distinct()
    .where("status", "=", sql.lit("waiting"))
    .execute();
  return rows.map(({ node }) => node);
}

/** The task that has just deployed the same request, or null. */
export async function findRepeatedTask(
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
  return same && Math.abs(now - (latest.ended_at ?? 0)) < repeatMs ? latest : null;
}

/** Stores the generation that an unfinished task takes instead of its own. */
export async function setTaskGeneration(db: Db, id: string, generation: number): Promise<void> {
  await db.updateTable("tasks").set({ generation }).where("id", "=", id).execute();
}

async function deleteExpired(db: Db, retentionTime: number): Promise<void> {
  const expired = db
    .selectFrom("tasks")
    .select("id")
    .where("ended_at", "<", retentionTime - taskRetentionMs)
    // A transaction beside this one deletes the others.
    .$if(isPostgres(db), (query) => query.forUpdate().skipLocked());
  await db.deleteFrom("tasks").where("id", "in", expired).execute();
}

export interface TaskProgress {
  readonly steps: readonly CodedFacts[];
  /** What the task is waiting for; null: for nothing but its turn, or the node. */
  readonly reason: Finding | null;
}

/** A reason as the task stores it; empty without one. */
export function serializeReason(reason: Finding | null): string {
  return reason === null ? "" : JSON.stringify(reason);
}

function parseReason({ reason }: Pick<TaskRow, "reason">): Finding | null {
  return reason === "" ? null : readFinding(JSON.parse(reason) as CodedFacts);
}

type TaskWithReason = Pick<TaskRow, "status" | "kind" | "previous" | "reason" | "steps">;

/** How often the server has called the node for a task, before and after its own restarts. */
export function countAttempts({ steps }: Pick<TaskRow, "steps">): number {
  const called = (JSON.parse(steps) as CodedFacts[]).findLast(({ code }) => code === "called");
  return typeof called?.facts["attempt"] === "number" ? called.facts["attempt"] : 0;
}

/** Why a task waits or did not succeed, as its participant reads it; empty without a reason. */
export function describeReason(task: TaskWithReason): string {
  const finding = parseReason(task);
  return finding ? describeTaskReason(finding, reasonContext(task)) : "";
}

/** Why a task did not succeed that the server repeats by itself; empty without a reason. */
export function describeRepeatedFailure(task: TaskWithReason): string {
  const finding = parseReason(task);
  return finding ? describeFailure(finding, reasonContext(task)) : "";
}

function reasonContext(task: TaskWithReason): ReasonContext {
  const { status, kind, previous } = task;
  return { status, kind, isNew: previous === null, attempts: countAttempts(task) };
}

/** Stores how far an unfinished task is. Returns false if that was stored already or the task has finished. */
export async function setProgress(db: Db, id: string, progress: TaskProgress): Promise<boolean> {
  const reason = serializeReason(progress.reason);
  const steps = JSON.stringify(progress.steps);
  const { numUpdatedRows } = await db
    .updateTable("tasks")
    .set({ steps, reason })
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .where((row) => row.or([row("steps", "!=", steps), row("reason", "!=", reason)]))
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
    steps: (JSON.parse(row.steps) as CodedFacts[]).map(describeStep),
    reason: describeReason(row),
    deadline: row.status === "waiting" ? row.deadline_at : null,
  };
}

/** An unfinished task as the status of its peering names it. */
export function presentDeployment(task: TaskRow | undefined): PeerStatus["deployment"] {
  return task ? { taskID: task.id, kind: task.kind } : null;
}

/** The status is a literal, because SQLite does not use the partial index of unfinished tasks for a parameter. */
function unfinished(db: Db) {
  return db.selectFrom("tasks").selectAll().where("status", "=", sql.lit("waiting"));
}

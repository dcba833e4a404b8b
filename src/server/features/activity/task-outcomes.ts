import type { ActivityEntry } from "#contract/call-tables/activity-calls.ts";
import { type AuditKind, describeOutcome, isChange, isOutcome } from "#domain/audit-events.ts";
import type { StoredEvent } from "../../audit/read-events.ts";
import type { Db } from "../../db/open.ts";
import { findUnfinishedOfAs } from "../peerings/deployment/task-store.ts";

type Outcome = NonNullable<ActivityEntry["outcome"]>;

export interface TaskOutcomes {
  /** Whether the event is the end of a task whose change has an entry. */
  readonly isShownWithChange: (event: StoredEvent) => boolean;
  /** How the task of a change ended; undefined for other events, and if it is not known. */
  readonly outcomeOf: (event: StoredEvent) => Outcome | undefined;
}

/**
 * Finds the events that belong to the tasks of listed ones, which may be on another page: the change, or the end.
 *
 * @param from the ID of the oldest event that the reader may see; null for all
 */
export async function readTaskOutcomes(
  db: Db,
  asn: string,
  listed: readonly StoredEvent[],
  from: string | null,
): Promise<TaskOutcomes> {
  const tasks = new Set(listed.flatMap(({ kind, task }) => (isOfTask(kind) ? (task ?? []) : [])));
  const related = tasks.size === 0 ? [] : await readTaskEvents(db, asn, [...tasks], from);
  const changed = new Set(related.filter(({ kind }) => isChange(kind)).map(({ task }) => task));
  const outcomes = new Map(
    related.flatMap(({ task, kind, detail }) =>
      isOutcome(kind) ? [[task, toOutcome(kind, detail ?? "")] as const] : [],
    ),
  );
  const isOpen = [...changed].some((task) => !outcomes.has(task));
  const running = new Map(
    isOpen ? (await findUnfinishedOfAs(db, asn)).map(({ id, kind }) => [id, kind]) : [],
  );
  for (const [task, kind] of running) {
    const text = `${kind === "delete" ? "Removal" : "Deployment"} in progress.`;
    outcomes.set(task, { state: "waiting", text });
  }
  return {
    isShownWithChange: ({ kind, task }) => isOutcome(kind) && changed.has(task),
    outcomeOf: ({ kind, task }) => (isChange(kind) ? outcomes.get(task) : undefined),
  };
}

function isOfTask(kind: AuditKind): boolean {
  return isChange(kind) || isOutcome(kind);
}

function toOutcome(kind: Parameters<typeof describeOutcome>[0], detail: string): Outcome {
  const hasSucceeded = kind === "deployment-succeeded" || kind === "deletion-succeeded";
  return { state: hasSucceeded ? "success" : "failed", text: describeOutcome(kind, detail) };
}

async function readTaskEvents(db: Db, asn: string, tasks: readonly string[], from: string | null) {
  return db
    .selectFrom("audit_events")
    .select(["task", "kind", "detail"])
    .where("asn", "=", asn)
    .where("task", "in", tasks)
    .$if(from !== null, (query) => query.where("id", ">=", from ?? ""))
    .$narrowType<{ kind: AuditKind }>()
    .execute();
}

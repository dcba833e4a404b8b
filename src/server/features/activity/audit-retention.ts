/**
 * Deletes events of the audit log that are too old, and the addresses of events earlier.
 *
 * Invariants: among all servers one deletes at a time (the lock `audit retention`). A transaction deletes at most
 * `batchSize` rows, so that others never wait long for it.
 */
import type { AppContext } from "../../context.ts";
import { toIdTime } from "../../audit/record-event.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const batchSize = 1_000;
/** The limit for each table in a run. The next run, an hour later, deletes the rest. */
const maxBatches = 100;

export type AuditRetentionDeps = Pick<AppContext, "db" | "locks" | "retentionClock" | "log"> & {
  readonly profile: Pick<AppContext["profile"], "audit">;
};

/** Creates the loop that deletes old events now and every hour. */
export function createAuditRetention(deps: AuditRetentionDeps): JobLoop {
  return createJobLoop({
    pollMs: hourMs,
    run: ({ closing }) => deps.locks.tryExclusive("audit retention", () => deleteOldEvents(deps, closing)),
    onError: (error) => deps.log.error({ err: error }, "deleting old events of the audit log failed"),
  });
}

/** Deletes what is older than the profile says, up to the limit of a run. */
export async function deleteOldEvents(
  { db, retentionClock, profile: { audit } }: Pick<AuditRetentionDeps, "db" | "retentionClock" | "profile">,
  signal: AbortSignal,
): Promise<void> {
  const now = retentionClock();
  await deleteInBatches(signal, () => deleteAddresses(db, toIdTime(now - audit.keepAddressDays * dayMs)));
  await deleteInBatches(signal, () => deleteEvents(db, toIdTime(now - audit.keepDays * dayMs)));
}

/** @param deleteBatch returns how many rows it deleted */
async function deleteInBatches(signal: AbortSignal, deleteBatch: () => Promise<bigint>): Promise<void> {
  for (let batch = 0; batch < maxBatches && !signal.aborted; batch += 1) {
    if ((await deleteBatch()) < BigInt(batchSize)) return;
  }
}

/** @param before a time as `toIdTime` writes it */
async function deleteAddresses(db: Db, before: string): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom("audit_addresses")
    .where("event", "in", (query) =>
      query
        .selectFrom("audit_addresses")
        .select("event")
        .where("event", "<", before)
        .orderBy("event")
        .limit(batchSize),
    )
    .executeTakeFirst();
  return numDeletedRows;
}

/** @param before a time as `toIdTime` writes it */
async function deleteEvents(db: Db, before: string): Promise<bigint> {
  const { numDeletedRows } = await db
    .deleteFrom("audit_events")
    .where("id", "in", (query) =>
      query.selectFrom("audit_events").select("id").where("id", "<", before).orderBy("id").limit(batchSize),
    )
    .executeTakeFirst();
  return numDeletedRows;
}

/**
 * Continues the running deletions of accounts: adds the tasks that remove their peerings, and deletes each account when
 * none is left.
 *
 * Invariants:
 * - Peerings are removed only by deployment tasks, as if the participant had deleted each.
 * - Every step is one transaction, and the next step is computed from the database alone. After a crash the loop of any
 *   server continues.
 * - Among all servers at most one continues deletions at a time (the lock `account deletions`).
 */
import type { Logger } from "pino";
import { HttpError } from "#contract/http-error.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import type { AppContext } from "#server/context.ts";
import { createJobLoop, type JobLoop } from "#server/jobs/job-loop.ts";
import { deletePeering } from "../../peerings/submit.ts";
import {
  deleteExpired,
  type DeletionRow,
  endOrphanedSessions,
  findRunning,
  finishDeletion,
} from "./deletion-store.ts";
import { findRemainingPeerings, maxPauseMs } from "./present-deletion.ts";

export interface AccountDeletionsDeps extends Pick<
  AppContext,
  "db" | "events" | "locks" | "profile" | "loginSessions" | "clock" | "retentionClock"
> {
  readonly agents: Pick<AppContext["agents"], "onReachable">;
  readonly log: Pick<Logger, "error" | "info" | "warn">;
  /** How long each attempt to remove a peering waits for an unreachable node. */
  readonly waitMs: number;
}

const pollMs = 30_000;

export function createAccountDeletions(deps: AccountDeletionsDeps): JobLoop {
  /** Nodes that have become reachable again: their peerings are removed without a pause. */
  const reachable = new Set<string>();
  const loop = createJobLoop({
    pollMs,
    run: ({ closing }) =>
      deps.locks.tryExclusive("account deletions", async () => {
        const back = new Set(reachable);
        reachable.clear();
        for (const deletion of await findRunning(deps.db)) {
          if (closing.aborted) return;
          await advance(deps, deletion, back);
        }
        await deleteExpired(deps.db, deps.retentionClock());
        for (const asn of await endOrphanedSessions(deps.db)) await deps.loginSessions.announceEnded(asn);
      }),
    onError: (error) => deps.log.error({ err: error }, "continuing the deletion of accounts failed"),
  });
  deps.events.subscribe("accountDeletion", () => loop.signal());
  deps.events.subscribe("taskChanged", () => loop.signal());
  deps.events.onResync(() => loop.signal());
  deps.agents.onReachable((node) => {
    reachable.add(node);
    loop.signal();
  });
  return loop;
}

/** Does what can be done now. */
async function advance(
  deps: AccountDeletionsDeps,
  deletion: DeletionRow,
  back: ReadonlySet<string>,
): Promise<void> {
  const { db, loginSessions, clock, log } = deps;
  const { asn } = deletion;
  const remaining = await findRemainingPeerings(deps, deletion);
  if (remaining.length === 0) {
    if (!(await finishDeletion(db, asn, clock()))) return;
    await loginSessions.announceEnded(asn);
    log.info({ asn }, "an account was deleted on the participant's request");
    return;
  }
  for (const { node, next_attempt: nextAttempt } of remaining) {
    const pauseMs = nextAttempt === null ? Infinity : nextAttempt - clock();
    // A longer pause is one of a clock that was ahead.
    const isPaused = pauseMs > 0 && pauseMs <= maxPauseMs && !back.has(node);
    if (nextAttempt === null || isPaused) continue;
    try {
      await deletePeering(deps, asn, node, noOrigin);
    } catch (error) {
      // The participant or an operator has changed the peering since it was listed.
      if (!(error instanceof HttpError)) throw error;
      log.warn({ asn, node, reason: error.message }, "a peering of a deleted account cannot be removed yet");
    }
  }
}

/**
 * Notices when the system's clock jumps, and stops deletions by age for 24 hours after a jump.
 *
 * Invariants:
 * - A jump is a difference of more than `toleranceMs` between the system's clock and the monotonic clock. At the start it is
 *   one between the system's clock and the last time in the database; forward it must be a day, since the server may have
 *   been stopped. A jump counts from the moment it happens, not from the next check.
 * - The 24 hours are counted by the clock after the jump. If that clock jumps again, they begin again.
 */
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Db } from "./open.ts";

export interface ClockJump {
  /** The time by the new clock, in milliseconds since 1970. */
  readonly at: number;
  /** How far the clock went forward, in milliseconds; negative if it went back. */
  readonly ms: number;
}

export interface ClockJumps {
  /** Compares the clocks, and stores the time and the last jump for the next start. */
  check(): Promise<void>;
  /** The last jump, for 24 hours; otherwise null. */
  readRecent(): ClockJump | null;
  /**
   * The time by which rows are deleted for their age, in milliseconds since 1970. For 24 hours after a jump it is 0, so
   * that no row is old enough.
   */
  readonly retentionClock: () => number;
}

export interface ClockJumpsDeps {
  readonly db: Db;
  readonly log: Pick<Logger, "error">;
  /** In milliseconds since 1970; for tests. */
  readonly systemTime?: () => number;
  /** In milliseconds; for tests. */
  readonly monotonicTime?: () => number;
}

/** More than a time service corrects in steps, and less than any retention. */
const toleranceMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;
/** A clock that is ahead of the database's last time at the start is usually the time without a server. */
export const restartToleranceMs = dayMs;
/** How long nothing is deleted. Long enough for an operator to correct the clock. */
export const jumpPauseMs = dayMs;

/** Compares the system's clock with the last time in the database, and watches it from now on. */
export async function watchClock({
  db,
  log,
  systemTime = Date.now,
  monotonicTime = () => performance.now(),
}: ClockJumpsDeps): Promise<ClockJumps> {
  const stored = await db.selectFrom("server_time").selectAll().executeTakeFirst();
  let last = toJump(stored?.jumped_at, stored?.jump_ms);
  /** How far the system's clock is ahead of the monotonic clock. At the start the stored time is the one to compare. */
  let offset = (stored?.at ?? systemTime()) - monotonicTime();
  let forwardToleranceMs = restartToleranceMs;

  /** Whether the database and the log have the last jump. */
  let isStored = true;

  /** Each reader notes a jump, since the clock may be corrected before the next check, which is a jump of its own. */
  function noteJump(): void {
    const at = systemTime();
    const ms = Math.round(at - monotonicTime() - offset);
    if (ms <= forwardToleranceMs && ms >= -toleranceMs) return;
    last = { at, ms };
    offset = at - monotonicTime();
    isStored = false;
  }

  function readRecent(): ClockJump | null {
    noteJump();
    return last && Math.abs(systemTime() - last.at) < jumpPauseMs ? last : null;
  }

  async function check(): Promise<void> {
    const jump = readRecent();
    if (jump && !isStored) {
      // First: if the database does not respond, the next check does it.
      await endLaterWaits(db, jump.at);
      const jumpSeconds = Math.round(jump.ms / 1000);
      log.error({ jumpSeconds }, "the system's clock has jumped; nothing is deleted by its age for 24 hours");
      isStored = true;
    }
    offset = systemTime() - monotonicTime();
    await storeTime(db, systemTime(), readRecent());
  }

  await check();
  forwardToleranceMs = toleranceMs;
  return { check, readRecent, retentionClock: () => (readRecent() ? 0 : systemTime()) };
}

function toJump(at: number | null = null, ms: number | null = null): ClockJump | null {
  return at === null || ms === null ? null : { at, ms };
}

/** A jump that another server has stored stays. */
async function storeTime(db: Db, at: number, jump: ClockJump | null): Promise<void> {
  const jumped = jump && { jumped_at: jump.at, jump_ms: jump.ms };
  await db
    .insertInto("server_time")
    .values({ id: 1, at, jumped_at: null, jump_ms: null, ...jumped })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ at, ...jumped }))
    .execute();
}

/** When the next attempt or check is due. */
const dueTimes = [
  ["outbox", "next_attempt_at"],
  ["push_messages", "next_attempt_at"],
  ["accounts", "checked_at"],
] as const;

/** Ends waits that were stored by a clock that was ahead: no wait is longer than a day. */
async function endLaterWaits(db: Db, now: number): Promise<void> {
  for (const [table, column] of dueTimes) {
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${now}
      WHERE ${sql.ref(column)} > ${now + dayMs}`.execute(db);
  }
  await db
    .deleteFrom("rate_limits")
    .where("expire", ">", now + dayMs)
    .execute();
}

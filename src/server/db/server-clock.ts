/**
 * The server's clock. It does not follow a jump of the system's clock until something confirms the jump, so a wrong system
 * clock neither ends login sessions nor deletes history. Everything that the server stores or deletes by time uses it.
 *
 * Invariants:
 * - While the system's clock is within `toleranceMs` of the time that has passed since the last check, `now` is the
 *   system's clock. Otherwise time continues from there, at the pace of the monotonic clock.
 * - A jump is accepted when most nodes that respond have the new time, when an operator confirms it, when another server
 *   with the same database has accepted it, or, if no node responds, after `maxDoubtMs` without another jump.
 * - Login sessions and tokens keep their remaining time when a jump under a running server is accepted. Of several
 *   servers, one writes this. A difference since the start is time in which no server ran: it counts, whenever it is
 *   accepted, so that no login session lasts longer than 90 days.
 */
import type { Logger } from "pino";
import { sql } from "kysely";
import type { Db } from "./open.ts";

export interface ServerClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Compares the clocks, and accepts a jump that is confirmed. */
  check(): Promise<void>;
  /** How many milliseconds the system's clock is ahead of the server's; negative if it is behind. 0 without a doubt. */
  readDoubtMs(): number;
}

export interface ServerClockDeps {
  readonly db: Db;
  readonly log: Logger;
  /** Returns the present time of each node that has responded. */
  readonly readNodeTimes: () => Promise<readonly number[]>;
  /** Whether the system's clock is right in any case: simulated nodes have no other one. */
  readonly isTrusted: boolean;
  /** The system's clock, in milliseconds since 1970; for tests. */
  readonly systemTime?: () => number;
  /** In milliseconds; for tests. */
  readonly monotonicTime?: () => number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** More than a time service corrects in steps, and less than any retention. */
export const toleranceMs = 5 * minuteMs;
/** Longer than a weekend. */
const maxDoubtMs = 3 * dayMs;

/** Creates the clock, which starts with the time in the database, and checks it once. */
export async function openServerClock(deps: ServerClockDeps): Promise<ServerClock> {
  const { db, log, isTrusted, systemTime = Date.now, monotonicTime = () => performance.now() } = deps;
  let base = (await readStoredTime(db))?.at ?? systemTime();
  let baseAt = monotonicTime();
  let doubt: { readonly jump: number; readonly since: number } | null = null;
  let hasStarted = false;
  /** False while the clock has not been followed since the start: the difference is from before it. */
  let hasFollowed = false;

  const steadyTime = () => Math.round(base + monotonicTime() - baseAt);

  function follow(time: number): void {
    base = time;
    baseAt = monotonicTime();
    doubt = null;
    hasFollowed = true;
  }

  async function findConfirmation(time: number): Promise<string | null> {
    if (isTrusted) return "the nodes are simulated";
    const stored = await readStoredTime(db);
    if (stored && isNear(stored.at, time)) return "another server has it too";
    if (stored?.confirmed_at && isNear(stored.confirmed_at, time)) return "the operator confirmed it";
    const nodes = await deps.readNodeTimes();
    if (nodes.filter((node) => isNear(node, time)).length * 2 > nodes.length) return "the nodes have it too";
    const isOld = doubt !== null && monotonicTime() - doubt.since >= maxDoubtMs;
    return isOld && nodes.length === 0 ? "it has not changed for three days" : null;
  }

  async function check(): Promise<void> {
    const time = systemTime();
    const steady = steadyTime();
    const jump = time - steady;
    if (isNear(time, steady)) {
      if (doubt) log.warn("the system's clock is right again");
      follow(time);
      await storeTime(db, time, false);
      return;
    }
    const isNew = doubt === null || !isNear(doubt.jump, jump);
    if (isNew) doubt = { jump, since: monotonicTime() };
    const confirmation = await findConfirmation(time);
    if (confirmation === null) {
      await storeTime(db, steady, true);
      if (isNew) log.error({ doubtSeconds: Math.round(jump / 1000) }, "the system's clock is not followed");
      return;
    }
    await acceptTime(db, { time, jump: hasFollowed ? jump : 0 });
    follow(time);
    if (hasStarted || !isTrusted) {
      log.warn({ jumpSeconds: Math.round(jump / 1000) }, `the system's clock is followed: ${confirmation}`);
    }
  }

  await check();
  hasStarted = true;
  const readDoubtMs = () => {
    const jump = systemTime() - steadyTime();
    return Math.abs(jump) <= toleranceMs ? 0 : jump;
  };
  return { now: () => (readDoubtMs() === 0 ? systemTime() : steadyTime()), check, readDoubtMs };
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= toleranceMs;
}

async function readStoredTime(
  db: Db,
): Promise<{ readonly at: number; readonly confirmed_at: number | null } | null> {
  const row = await db.selectFrom("server_time").select(["at", "confirmed_at"]).executeTakeFirst();
  return row ?? null;
}

/** Stores the time. In doubt, a jump that another server has accepted stays. */
async function storeTime(db: Db, at: number, isInDoubt: boolean): Promise<void> {
  await db
    .insertInto("server_time")
    .values({ id: 1, at, confirmed_at: null })
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ at })
        .where("server_time.at", ">=", isInDoubt ? at - toleranceMs : 0)
        .where("server_time.at", "<=", isInDoubt ? at : Number.MAX_SAFE_INTEGER),
    )
    .execute();
}

/** Stores the time of a jump. The first server that does it moves the ends of login sessions and tokens by the jump. */
async function acceptTime(
  db: Db,
  { time, jump }: { readonly time: number; readonly jump: number },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("server_time")
      .set({ at: time })
      .where(sql<boolean>`abs(at - ${time}) > ${toleranceMs}`)
      .executeTakeFirst();
    // Limits that were counted with a later time would block their clients until then.
    await tx
      .deleteFrom("rate_limits")
      .where("expire", ">", time + dayMs)
      .execute();
    if (numUpdatedRows === 0n || jump === 0) return;
    for (const [table, column] of lifetimes) {
      await sql`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${sql.ref(column)} + ${sql.lit(jump)}`.execute(
        tx,
      );
    }
  });
}

/** The times from which the ends of login sessions and tokens follow. */
const lifetimes = [
  ["login_sessions", "created_at"],
  ["login_sessions", "expires_at"],
  ["account_tokens", "expires_at"],
] as const;

/** Lets the servers follow the system's clock, at their next check or start. */
export async function confirmTime(db: Db, time: number): Promise<void> {
  await db
    .insertInto("server_time")
    .values({ id: 1, at: time, confirmed_at: time })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ confirmed_at: time }))
    .execute();
}

/** Returns the time that the servers last stored; null if no server has run yet. */
export async function readServerTime(db: Db): Promise<number | null> {
  return (await readStoredTime(db))?.at ?? null;
}

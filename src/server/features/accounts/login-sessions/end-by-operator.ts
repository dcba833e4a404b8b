import { createLoginSessions } from "#server/api/login-sessions.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import type { Events } from "#server/db/events.ts";

export interface OperatorContext {
  readonly db: Db;
  readonly events: Events;
  readonly clock: () => number;
}

export interface EndedLoginSessions {
  readonly asn: string;
  readonly count: number;
}

/**
 * Ends all login sessions of an AS, or of every AS for null, as the operator. Returns how many each AS had. Servers on
 * the same PostgreSQL database end them at once; a server on SQLite, which gets no event of another process, within
 * seconds.
 */
export async function endByOperator(
  { db, events, clock }: OperatorContext,
  asn: string | null,
): Promise<readonly EndedLoginSessions[]> {
  const loginSessions = createLoginSessions({ db, events, clock, retentionClock: clock });
  const found = await db
    .selectFrom("login_sessions")
    .select((row) => ["asn", row.fn.countAll<number>().as("count")])
    .$if(asn !== null, (query) => query.where("asn", "=", asn ?? ""))
    .groupBy("asn")
    .orderBy("asn")
    .execute();
  for (const row of found) {
    await db.transaction().execute(async (tx) => {
      await loginSessions.endAll(tx, row.asn);
      await recordEvent(tx, { kind: "login-sessions-ended-by-operator", asn: row.asn }, noOrigin, clock());
    });
    await loginSessions.announceEnded(row.asn);
  }
  return found;
}

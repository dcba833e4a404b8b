import { createLoginSessions } from "#server/api/login-sessions.ts";
import { endAllApiTokens } from "#server/api/tokens/api-token-rows.ts";
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
  readonly apiTokens: number;
}

/**
 * Ends all login sessions and API tokens of an AS, or of every AS for null, as the operator. Returns how many each AS had. Servers on
 * the same PostgreSQL database end them at once; a server on SQLite, which gets no event of another process, within
 * seconds.
 */
export async function endByOperator(
  { db, events, clock }: OperatorContext,
  asn: string | null,
): Promise<readonly EndedLoginSessions[]> {
  const loginSessions = createLoginSessions({ db, events, clock, retentionClock: clock });
  const [sessions, tokens] = [await countOfAses(db, "login_sessions"), await countOfAses(db, "api_tokens")];
  const found = [...new Set([...sessions.keys(), ...tokens.keys()])]
    .filter((each) => asn === null || each === asn)
    .toSorted()
    .map((each) => ({ asn: each, count: sessions.get(each) ?? 0, apiTokens: tokens.get(each) ?? 0 }));
  for (const row of found) {
    await db.transaction().execute(async (tx) => {
      await loginSessions.endAll(tx, row.asn);
      await endAllApiTokens(tx, row.asn, noOrigin, clock());
      await recordEvent(tx, { kind: "login-sessions-ended-by-operator", asn: row.asn }, noOrigin, clock());
    });
    await loginSessions.announceEnded(row.asn);
  }
  return found;
}

async function countOfAses(
  db: Db,
  table: "login_sessions" | "api_tokens",
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select((row) => ["asn", row.fn.countAll().as("count")])
    .groupBy("asn")
    .execute();
  return new Map(rows.map(({ asn, count }) => [asn, Number(count)]));
}

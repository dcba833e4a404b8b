import type { LoginSession } from "#contract/call-tables/accounts/account-calls.ts";
import { toLoginSessionId } from "#server/api/secret-tokens.ts";
import type { Db } from "#server/db/open.ts";

/**
 * Lists the login sessions of an AS, the last used one first.
 *
 * @param current `toLoginSessionId` of the reader's
 */
export async function listLoginSessions(
  db: Db,
  asn: string,
  current: string | null,
  now: number,
): Promise<LoginSession[]> {
  const rows = await db
    .selectFrom("login_sessions")
    .selectAll()
    .where("asn", "=", asn)
    .where("expires_at", ">", now)
    .orderBy("used_at", "desc")
    .orderBy("created_at", "desc")
    .execute();
  return rows.map((row) => ({
    id: toLoginSessionId(row.hash),
    created: row.created_at,
    last_used: row.used_at,
    ends: row.expires_at,
    address_prefix: row.address_prefix,
    browser: row.browser,
    current: toLoginSessionId(row.hash) === current,
  }));
}

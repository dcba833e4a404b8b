import { hashSecret } from "#server/api/secret-tokens.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { Db } from "#server/db/open.ts";

/**
 * Throws `HttpError` 401 if the caller's login session has ended since the request was authenticated. Writes to its row: what ends
 * it waits for the end of this transaction. The account's row, if that is written too, comes first, as where a password is set.
 */
export async function assertLive(tx: Db, loginToken: string | null): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable("login_sessions")
    .set((row) => ({ used_at: row.ref("used_at") }))
    .where("hash", "=", hashSecret(loginToken ?? "") ?? "")
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notLoggedInError();
}

import type { Account } from "#contract/call-tables/account-calls.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { Profile } from "#server/config/profile.ts";
import type { Db } from "#server/db/open.ts";
import { findRunningOfAs } from "./deletion-store.ts";
import { presentDeletion } from "./present-deletion.ts";

/** The account of a logged-in AS. Throws `HttpError` 401 if it was deleted in the meantime. */
export async function readAccount(
  context: { readonly db: Db; readonly profile: Pick<Profile, "domain"> },
  asn: string,
): Promise<Account> {
  const { db } = context;
  const [account, running] = await Promise.all([
    db
      .selectFrom("accounts")
      .select(["created_at", "verified_holder"])
      .where("asn", "=", asn)
      .executeTakeFirst(),
    findRunningOfAs(db, asn),
  ]);
  if (!account) throw notLoggedInError();
  return {
    created: account.created_at,
    holder: account.verified_holder,
    deletion: running && (await presentDeletion(context, running)),
  };
}

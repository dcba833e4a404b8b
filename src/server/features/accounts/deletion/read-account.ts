import type { Account } from "#contract/call-tables/accounts/account-calls.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { AppContext } from "#server/context.ts";
import { findRefusedAddresses } from "../refused-addresses.ts";
import { findRunningOfAs } from "./deletion-store.ts";
import { presentDeletion } from "./present-deletion.ts";

/** The account of a logged-in AS. Throws `HttpError` 401 if it was deleted in the meantime. */
export async function readAccount(
  context: Pick<AppContext, "db" | "registry"> & {
    readonly profile: Pick<AppContext["profile"], "domain" | "nodes">;
  },
  asn: string,
): Promise<Account> {
  const { db, registry } = context;
  const [account, running, contacts] = await Promise.all([
    db
      .selectFrom("accounts")
      .select(["created_at", "verified_holder", "password_off_at"])
      .where("asn", "=", asn)
      .executeTakeFirst(),
    findRunningOfAs(db, asn),
    registry.findContacts(asn),
  ]);
  if (!account) throw notLoggedInError();
  const refused = contacts.found ? await findRefusedAddresses(db, contacts.addresses) : [];
  return {
    created: account.created_at,
    holder: account.verified_holder,
    password_off: account.password_off_at !== null,
    deletion: running && (await presentDeletion(context, running)),
    ...(refused.length > 0 && { refused: [...refused] }),
  };
}

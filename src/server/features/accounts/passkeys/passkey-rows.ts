import type { Selectable } from "kysely";
import type { Passkey } from "#contract/call-tables/accounts/passkey-calls.ts";
import { findPasskeyHost, listPublicUrls, type PublicUrls } from "#domain/public-urls.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";
import { lockAccount } from "#server/db/peering-locks.ts";
import type { PasskeysTable } from "#server/db/schema/account-tables.ts";

export type PasskeyRow = Selectable<PasskeysTable>;

/** Lists the passkeys of an AS, the oldest first. */
export async function findPasskeys(db: Db, asn: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("asn", "=", asn)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** @param publicUrl the one that the caller used */
export function presentPasskey(row: PasskeyRow, publicUrl: string): Passkey {
  return {
    id: row.id,
    name: row.name,
    created: row.created_at,
    last_used: row.used_at,
    host: row.host,
    here: row.host === findPasskeyHost(publicUrl),
  };
}

/** The passkeys that work at one of the public URLs: a former one may have had another host. */
export function listUsable(rows: readonly PasskeyRow[], urls: PublicUrls): PasskeyRow[] {
  const hosts = new Set(listPublicUrls(urls).map(findPasskeyHost));
  return rows.filter(({ host }) => hosts.has(host));
}

export async function isPasswordOff(db: Db, asn: string): Promise<boolean> {
  const row = await db
    .selectFrom("accounts")
    .select("password_off_at")
    .where("asn", "=", asn)
    .executeTakeFirst();
  return typeof row?.password_off_at === "number";
}

/** Deletes all passkeys of an AS. Returns how many there were. */
export async function deletePasskeys(tx: Db, asn: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom("passkeys").where("asn", "=", asn).executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes all passkeys of an AS as the operator. Returns how many there were. */
export async function removePasskeysByOperator(db: Db, asn: string, now: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const count = await deletePasskeys(tx, asn);
    if (count > 0) await recordEvent(tx, { kind: "passkeys-removed-by-operator", asn }, noOrigin, now);
    return count;
  });
}

import type { Db } from "../../db/open.ts";

/** The stored password hash of an AS; null where it has no account. */
export async function findPasswordHash(db: Db, asn: string): Promise<string | null> {
  const row = await db
    .selectFrom("accounts")
    .select("password_hash")
    .where("asn", "=", asn)
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Creates the account of an AS, or gives it another password. */
export async function storePassword(tx: Db, asn: string, hash: string, now: number): Promise<void> {
  await tx
    .insertInto("accounts")
    .values({ asn, password_hash: hash, created_at: now })
    .onConflict((conflict) => conflict.column("asn").doUpdateSet({ password_hash: hash }))
    .execute();
}

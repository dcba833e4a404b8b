import { createSecret, hashSecret } from "../../api/secret-tokens.ts";
import type { Db } from "../../db/open.ts";

/** Returns the stored password hash of an AS; null if it has no account. */
export async function findPasswordHash(db: Db, asn: string): Promise<string | null> {
  const row = await db
    .selectFrom("accounts")
    .select("password_hash")
    .where("asn", "=", asn)
    .executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Creates the account of an AS or replaces its password, after its holder was verified. The password is on again. */
export async function storePasswordHash(
  tx: Db,
  { asn, holder }: Pick<AccountToken, "asn" | "holder">,
  hash: string,
  now: number,
): Promise<void> {
  const verified = { password_hash: hash, verified_holder: holder, checked_at: now, password_off_at: null };
  await tx
    .insertInto("accounts")
    .values({ asn, created_at: now, ...verified })
    .onConflict((conflict) => conflict.column("asn").doUpdateSet(verified))
    .execute();
}

export type TokenPurpose = "registration" | "reset";

export interface AccountToken {
  readonly asn: string;
  readonly purpose: TokenPurpose;
  /** `Registry.findHolder` when the link was mailed, or the AS proved. */
  readonly holder: string;
  /** What proved that the AS is the participant's: "the SSH key SHA256:…"; null: a mailed link. */
  readonly proof: string | null;
}

const tokenLifetimeMs = 3_600_000;

/** Creates a token for an AS, valid for one hour, and returns it with its hash. It replaces the AS's earlier token. */
export async function issueToken(
  tx: Db,
  { asn, purpose, holder, proof }: AccountToken,
  now: number,
): Promise<{ readonly token: string; readonly tokenHash: string }> {
  const token = createSecret();
  const tokenHash = hashSecret(token) ?? "";
  const row = { hash: tokenHash, purpose, holder, proof, expires_at: now + tokenLifetimeMs };
  await tx
    .insertInto("account_tokens")
    .values({ ...row, asn })
    .onConflict((conflict) => conflict.column("asn").doUpdateSet(row))
    .execute();
  return { token, tokenHash };
}

/** Returns the AS and purpose of a token without consuming it; null for an unknown or expired token. */
export async function findToken(db: Db, token: string, now: number): Promise<AccountToken | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const row = await db
    .selectFrom("account_tokens")
    .select(["asn", "purpose", "holder", "proof"])
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Consumes a token in one statement: of several parallel calls one gets its AS and purpose, the others get null. */
export async function consumeToken(tx: Db, token: string, now: number): Promise<AccountToken | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const row = await tx
    .deleteFrom("account_tokens")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .returning(["asn", "purpose", "holder", "proof"])
    .executeTakeFirst();
  return row ?? null;
}

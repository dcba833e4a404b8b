import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../../db/open.ts";

export type TokenPurpose = "registration" | "reset";

export interface TokenHolder {
  readonly asn: string;
  readonly purpose: TokenPurpose;
}

const validMs = 3_600_000;
/** 32 bytes in base64url; anything else is not even hashed. */
const shape = /^[A-Za-z0-9_-]{43}$/;

/** 256 bits that nobody can guess, as text for a URL or a cookie. */
export function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** What is stored of a secret, so that who reads the database cannot use it; null for what cannot be one. */
export function hashSecret(secret: string): string | null {
  return shape.test(secret) ? createHash("sha256").update(secret).digest("base64url") : null;
}

/** A new token for an AS, valid for one hour; it ends the one before. `now` in milliseconds. */
export async function issueToken(tx: Db, holder: TokenHolder, now: number): Promise<string> {
  const token = createSecret();
  const row = { hash: hashSecret(token) ?? "", purpose: holder.purpose, expires_at: now + validMs };
  await tx
    .insertInto("account_tokens")
    .values({ ...row, asn: holder.asn })
    .onConflict((conflict) => conflict.column("asn").doUpdateSet(row))
    .execute();
  return token;
}

/** Whose a token is, without using it up; null for an unknown or expired one. */
export async function findToken(db: Db, token: string, now: number): Promise<TokenHolder | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const row = await db
    .selectFrom("account_tokens")
    .select(["asn", "purpose"])
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Uses a token up, in one write: of any number that try at once, one gets the holder and all others null.
 */
export async function consumeToken(tx: Db, token: string, now: number): Promise<TokenHolder | null> {
  const hash = hashSecret(token);
  if (hash === null) return null;
  const row = await tx
    .deleteFrom("account_tokens")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .returning(["asn", "purpose"])
    .executeTakeFirst();
  return row ?? null;
}

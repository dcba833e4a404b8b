/**
 * The rows of API tokens: how they are found, and how they end.
 *
 * Invariants:
 * - Each request reads its token from the database, so an end counts at once on every server.
 * - What ends all tokens of an AS ends its login sessions first, in the same transaction. A token is created in a transaction that
 *   writes to the row of its login session: so it is either ended too, or not created.
 */
import type { Selectable } from "kysely";
import { apiTokenPrefix } from "#domain/accounts/api-tokens.ts";
import { toAddressPrefix } from "#domain/client-key.ts";
import { type AuditOrigin, noOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { Db } from "../../db/open.ts";
import type { Schema } from "../../db/schema/schema.ts";
import { createSecret, hashSecret } from "../secret-tokens.ts";

export type ApiTokenRow = Selectable<Schema["api_tokens"]>;

const useEveryMs = 3_600_000;

/** Returns a new token and the hash that the database stores. */
export function createApiToken(): { readonly token: string; readonly hash: string } {
  const secret = createSecret();
  return { token: `${apiTokenPrefix}${secret}`, hash: hashSecret(secret) ?? "" };
}

/** Returns the row of a token that has not expired, or null. Stores its use. */
export async function findApiToken(
  db: Db,
  token: string,
  { now, clientAddress }: { readonly now: number; readonly clientAddress: string },
): Promise<ApiTokenRow | null> {
  const secret = token.startsWith(apiTokenPrefix) ? token.slice(apiTokenPrefix.length) : "";
  const hash = hashSecret(secret);
  if (hash === null) return null;
  const row = await db
    .selectFrom("api_tokens")
    .selectAll()
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (!row) return null;
  void noteUse(db, row, { now, prefix: toAddressPrefix(clientAddress) });
  return row;
}

/** Writes at most once an hour. The caller does not wait for it, and a failed write is ignored: a later use tries again. */
async function noteUse(
  db: Db,
  { hash, used_at: usedAt }: ApiTokenRow,
  { now, prefix }: { readonly now: number; readonly prefix: string | null },
): Promise<void> {
  if (usedAt !== null && now - usedAt < useEveryMs) return;
  await db
    .updateTable("api_tokens")
    .set({ used_at: now, used_prefix: prefix })
    .where("hash", "=", hash)
    .execute()
    .catch(() => undefined);
}

/** Ends and records all tokens of an AS, within the caller's transaction, after its login sessions if these end too. */
export async function endAllApiTokens(
  tx: Db,
  asn: string,
  origin: AuditOrigin,
  now: number,
  how = "with all login sessions",
): Promise<void> {
  const ended = await tx.deleteFrom("api_tokens").where("asn", "=", asn).returningAll().execute();
  await recordEnded(tx, ended, how, origin, now);
}

/** Ends and records the tokens of an AS that end with its password, as `endAllApiTokens`. */
export async function endPasswordApiTokens(
  tx: Db,
  asn: string,
  origin: AuditOrigin,
  now: number,
): Promise<void> {
  const ended = await tx
    .deleteFrom("api_tokens")
    .where("asn", "=", asn)
    .where("ends_with_password", "=", 1)
    .returningAll()
    .execute();
  await recordEnded(tx, ended, "with the password", origin, now);
}

async function recordEnded(
  tx: Db,
  ended: readonly ApiTokenRow[],
  how: string,
  origin: AuditOrigin,
  now: number,
): Promise<void> {
  for (const { asn, name } of ended) {
    const detail = `“${name}” ended ${how}.`;
    await recordEvent(tx, { kind: "api-token-ended", asn, detail }, origin, now);
  }
}

/** Limits the time of one transaction. The next run deletes the rest. */
const maxExpiredPerRun = 500;

/** Deletes and records some of the tokens that have expired at a time. */
export async function deleteExpiredApiTokens(
  tx: Db,
  { now, expiredAt }: { readonly now: number; readonly expiredAt: number },
): Promise<void> {
  const expired = await tx
    .deleteFrom("api_tokens")
    .where("hash", "in", (query) =>
      query
        .selectFrom("api_tokens")
        .select("hash")
        .where("expires_at", "<=", expiredAt)
        .limit(maxExpiredPerRun),
    )
    .returningAll()
    .execute();
  for (const { asn, name } of expired) {
    await recordEvent(
      tx,
      { kind: "api-token-expired", asn, detail: `“${name}” can be replaced in Settings.` },
      noOrigin,
      now,
    );
  }
}

import type { ApiToken } from "#contract/call-tables/accounts/token-calls.ts";
import { toApiTokenId } from "#server/api/secret-tokens.ts";
import type { ApiTokenRow } from "#server/api/tokens/api-token-rows.ts";
import type { AuditOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { Db } from "#server/db/open.ts";

/** Lists the API tokens of an AS that have not expired, the newest first. */
export async function listApiTokens(db: Db, asn: string, now: number): Promise<ApiToken[]> {
  const rows = await db
    .selectFrom("api_tokens")
    .selectAll()
    .where("asn", "=", asn)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("name")
    .execute();
  return rows.map(presentApiToken);
}

export function presentApiToken(row: ApiTokenRow): ApiToken {
  return {
    id: toApiTokenId(row.hash),
    name: row.name,
    scope: row.scope,
    node: row.node,
    created: row.created_at,
    expires: row.expires_at,
    last_used: row.used_at,
    address_prefix: row.used_prefix,
    ends_with_password: row.ends_with_password === 1,
  };
}

/** Ends an API token of an AS by `toApiTokenId` and records it. Returns false if the AS has no such one. */
export async function revokeApiToken(
  db: Db,
  { asn, id }: { readonly asn: string; readonly id: string },
  origin: AuditOrigin,
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const own = await tx.selectFrom("api_tokens").select("hash").where("asn", "=", asn).execute();
    const found = own.find(({ hash }) => toApiTokenId(hash) === id);
    if (!found) return false;
    const revoked = await tx
      .deleteFrom("api_tokens")
      .where("hash", "=", found.hash)
      .returning("name")
      .executeTakeFirst();
    if (!revoked) return false;
    const detail = `“${revoked.name}” can no longer be used.`;
    await recordEvent(tx, { kind: "api-token-revoked", asn, detail }, origin, now);
    return true;
  });
}

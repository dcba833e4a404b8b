import type { CallBody, CallResponse } from "#contract/call.ts";
import type { tokenCalls } from "#contract/call-tables/accounts/token-calls.ts";
import { HttpError } from "#contract/http-error.ts";
import { apiTokenScopeLabels, checkApiTokenName, maxApiTokens } from "#domain/accounts/api-tokens.ts";
import type { LoggedInContext } from "#server/api/handlers.ts";
import { createApiToken } from "#server/api/tokens/api-token-rows.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { AppContext } from "#server/context.ts";
import type { Db } from "#server/db/open.ts";
import { lockAccount } from "#server/db/peering-locks.ts";
import { assertLive } from "../login-sessions/assert-live.ts";
import { writeNotice } from "../notices/notice-store.ts";
import { presentApiToken } from "./token-store.ts";

export interface CreateTokenContext extends Pick<AppContext, "db" | "events" | "rateLimits" | "clock"> {
  readonly nodes: Pick<AppContext["nodes"], "find" | "list">;
}

type Wanted = CallBody<typeof tokenCalls.createApiToken>;
type Created = CallResponse<typeof tokenCalls.createApiToken>;

const dayMs = 24 * 3_600_000;

/**
 * Creates an API token for the AS of a login session. A mail reports it: call `announceNotice` afterwards. Throws `HttpError` 422 for
 * a field, 409 for a name that another token has, or if there are too many, 429, and 401 if the login session has ended in the
 * meantime.
 */
export async function createToken(
  context: CreateTokenContext,
  wanted: Wanted,
  { asn, loginToken, origin }: Pick<LoggedInContext, "asn" | "loginToken" | "origin">,
): Promise<Created> {
  const { db, rateLimits, clock } = context;
  const name = wanted.name.trim();
  assertAccepted(context, { ...wanted, name });
  await rateLimits.apiTokenPerAs.take(asn);
  const { token, hash } = createApiToken();
  return db.transaction().execute(async (tx) => {
    const now = clock();
    await lockAccount(tx, asn);
    // What ends the login session then ends the token too.
    await assertLive(tx, loginToken);
    await assertFree(tx, { asn, name }, now);
    const row = await tx
      .insertInto("api_tokens")
      .values({
        hash,
        asn,
        name,
        scope: wanted.scope,
        node: wanted.node,
        ends_with_password: wanted.ends_with_password ? 1 : 0,
        created_at: now,
        expires_at: now + wanted.days * dayMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const rights = `${apiTokenScopeLabels[wanted.scope]}, ${wanted.node ?? "all nodes"}, ${wanted.days} days.`;
    await recordEvent(tx, { kind: "api-token-created", asn, detail: `“${name}”: ${rights}` }, origin, now);
    await writeNotice(tx, { asn, kind: "apiTokenCreated", at: now }, origin);
    return { token, api_token: presentApiToken(row) };
  });
}

function assertAccepted({ nodes }: CreateTokenContext, { name, node }: Pick<Wanted, "name" | "node">): void {
  const message = checkApiTokenName(name);
  if (message !== null) throw new HttpError(422, { message, field: "name" });
  if (node === null || nodes.find(node) !== null) return;
  const names = nodes.list().map((each) => each.name);
  throw new HttpError(422, {
    message: `There is no node with this name. Choose ${names.join(", ")}, or all nodes.`,
    field: "node",
  });
}

async function assertFree(
  tx: Db,
  { asn, name }: { readonly asn: string; readonly name: string },
  now: number,
): Promise<void> {
  const others = await tx
    .selectFrom("api_tokens")
    .select("name")
    .where("asn", "=", asn)
    .where("expires_at", ">", now)
    .execute();
  if (others.some((other) => other.name === name)) {
    throw new HttpError(409, {
      message: "Another API token has this name. Choose another one.",
      field: "name",
    });
  }
  if (others.length >= maxApiTokens) {
    throw new HttpError(409, {
      message: `AS${asn} has ${maxApiTokens} API tokens, and no more are possible. Revoke one that is not used.`,
    });
  }
}

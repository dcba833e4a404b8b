/**
 * AS numbers that the operator has blocked: they get no links, no login sessions and no deployments. Their peerings run
 * until they are removed.
 *
 * Invariant: a block and its end take the lock of the AS first, as every change of its peerings does, so no submit that was
 * accepted before a block is committed after it.
 */
import type { Selectable } from "kysely";
import { HttpError } from "#contract/http-error.ts";
import { createLoginSessions } from "../../api/login-sessions.ts";
import { endAllApiTokens } from "../../api/tokens/api-token-rows.ts";
import { notLoggedInError } from "../../api/serve-calls.ts";
import { noOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { Db } from "../../db/open.ts";
import { lockAccount } from "../../db/peering-locks.ts";
import type { Schema } from "../../db/schema/schema.ts";
import type { OperatorContext } from "./login-sessions/end-by-operator.ts";

export type Block = Selectable<Schema["account_blocks"]>;

export async function findBlock(db: Db, asn: string): Promise<Block | null> {
  const row = await db.selectFrom("account_blocks").selectAll().where("asn", "=", asn).executeTakeFirst();
  return row ?? null;
}

export async function listBlocks(db: Db): Promise<readonly Block[]> {
  return db.selectFrom("account_blocks").selectAll().orderBy("asn").execute();
}

/** Blocks an AS, or replaces the reason of its block, and ends its login sessions, API tokens and mailed links. */
export async function blockAccount(
  { db, events, clock }: OperatorContext,
  asn: string,
  reason: string,
): Promise<void> {
  const loginSessions = createLoginSessions({ db, events, clock, retentionClock: clock });
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const block = { reason, blocked_at: clock() };
    await tx
      .insertInto("account_blocks")
      .values({ asn, ...block })
      .onConflict((conflict) => conflict.column("asn").doUpdateSet(block))
      .execute();
    await tx.deleteFrom("account_tokens").where("asn", "=", asn).execute();
    await loginSessions.endAll(tx, asn);
    await endAllApiTokens(tx, asn, noOrigin, clock());
    await recordEvent(tx, { kind: "account-blocked", asn, detail: `Reason: ${reason}` }, noOrigin, clock());
  });
  await loginSessions.announceEnded(asn);
}

/** Returns false if the AS was not blocked. */
export async function unblockAccount(
  { db, clock }: Pick<OperatorContext, "db" | "clock">,
  asn: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const { numDeletedRows } = await tx
      .deleteFrom("account_blocks")
      .where("asn", "=", asn)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return false;
    await recordEvent(tx, { kind: "account-unblocked", asn }, noOrigin, clock());
    return true;
  });
}

/**
 * Throws what keeps an AS from deploying, in the transaction of the submit: `HttpError` 401 without an account, 403 for a
 * block, and 409 while the account is being deleted.
 */
export async function assertMayDeploy(
  tx: Db,
  asn: string,
  { supportAddress }: { readonly supportAddress: string },
): Promise<void> {
  const found = await findObstacles(tx, asn);
  // The login session may have been found just before the account was deleted.
  if (found.account === null) throw notLoggedInError();
  if (found.block !== null) {
    throw new HttpError(403, {
      message: `AS${asn} is blocked, so nothing was deployed. Its peerings keep running. Write to ${supportAddress}.`,
    });
  }
  if (found.deletion !== null) {
    throw new HttpError(409, {
      message: `The account of AS${asn} is being deleted, so nothing was deployed. To keep the account, open Account.`,
    });
  }
}

/** In one query, because other changes of the AS and of the node wait meanwhile. */
async function findObstacles(tx: Db, asn: string) {
  return tx
    .selectNoFrom((eb) => [
      eb.selectFrom("accounts").select("asn").where("asn", "=", asn).as("account"),
      eb.selectFrom("account_blocks").select("asn").where("asn", "=", asn).as("block"),
      eb
        .selectFrom("account_deletions")
        .select("asn")
        .where("asn", "=", asn)
        .where("state", "=", "running")
        .as("deletion"),
    ])
    .executeTakeFirstOrThrow();
}

/** Returns `HttpError` 403 with the reason for a blocked AS, or null. Only for a client that knows the password. */
export async function findLoginRefusal(
  db: Db,
  asn: string,
  { supportAddress }: { readonly supportAddress: string },
): Promise<HttpError | null> {
  const block = await findBlock(db, asn);
  return (
    block &&
    new HttpError(403, {
      message: `AS${asn} is blocked: ${block.reason} Its peerings keep running. Write to ${supportAddress}.`,
    })
  );
}

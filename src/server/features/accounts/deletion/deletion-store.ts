/**
 * Deletions of accounts in the database.
 *
 * Invariants:
 * - An AS has at most one running deletion.
 * - While it runs, no peering of the AS is created or changed. Its start and its end take the lock of the AS first, as every
 *   change of its peerings does, so they are serialised with all of these over all servers.
 * - The account is deleted in the transaction that finds no peering and no unfinished task of the AS.
 */
import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { lockAccount } from "#server/db/peering-locks.ts";
import type { Schema } from "#server/db/schema/schema.ts";
import { findUnfinishedOfAs } from "../../peerings/deployment/task-store.ts";
import { findDesiredOfAs } from "../../peerings/desired-peerings.ts";
import { deleteHalfHours } from "../../peerings/observed/half-hours.ts";
import { deleteSessionStates } from "../../peerings/observed/sessions.ts";
import type { RequestOrigin } from "#server/api/handlers.ts";
import { createSecret } from "#server/api/secret-tokens.ts";
import { noOrigin } from "#server/audit/audit-event.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { CheckedPassword } from "../login.ts";
import { writeNotice } from "../notices/notice-store.ts";
import { deletePasskeys } from "../passkeys/passkey-rows.ts";

export type DeletionRow = Selectable<Schema["account_deletions"]>;

/** How long an ended deletion can be looked up. */
const retentionMs = 30 * 24 * 3_600_000;

/** Starts the deletion of an account and returns it; the running one if there is one. Null without an account. */
export async function startDeletion(
  db: Db,
  { asn, hash }: CheckedPassword,
  origin: RequestOrigin,
  now: number,
): Promise<DeletionRow | null> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const account = await tx
      .selectFrom("accounts")
      .select("asn")
      .where("asn", "=", asn)
      .where("password_hash", "=", hash)
      .executeTakeFirst();
    if (!account) return null;
    const running = await findRunningOfAs(tx, asn);
    if (running) return running;
    await recordEvent(tx, { kind: "account-deletion-started", asn }, origin, now);
    await writeNotice(tx, { asn, kind: "deletionStarted", at: now }, origin);
    return tx
      .insertInto("account_deletions")
      .values({ id: createSecret(), asn, started_at: now, ended_at: null, state: "running" })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Ends the running deletion of an AS; the account is kept. Returns false if none is running. */
export async function cancelDeletion(
  db: Db,
  asn: string,
  origin: RequestOrigin,
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    if (!(await endDeletion(tx, asn, "cancelled", now))) return false;
    await recordEvent(tx, { kind: "account-deletion-cancelled", asn }, origin, now);
    return true;
  });
}

/**
 * Deletes the account with everything that belongs to it, if no peering is left. Returns false if one is, or if the
 * deletion is not running any more. Call `LoginSessions.announceEnded` afterwards.
 */
export async function finishDeletion(db: Db, asn: string, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const [peerings, tasks] = [await findDesiredOfAs(tx, asn), await findUnfinishedOfAs(tx, asn)];
    if (peerings.length > 0 || tasks.length > 0) return false;
    if (!(await endDeletion(tx, asn, "deleted", now))) return false;
    await tx.deleteFrom("account_tokens").where("asn", "=", asn).execute();
    await deletePasskeys(tx, asn);
    await tx.deleteFrom("accounts").where("asn", "=", asn).execute();
    // This also deletes their push subscriptions and waiting push messages.
    await tx.deleteFrom("login_sessions").where("asn", "=", asn).execute();
    await tx.deleteFrom("api_tokens").where("asn", "=", asn).execute();
    // These may also exist of peerings that the database does not know.
    await deleteHalfHours(tx, asn, null);
    await deleteSessionStates(tx, asn, null);
    await recordEvent(tx, { kind: "account-deleted", asn }, noOrigin, now);
    return true;
  });
}

async function endDeletion(
  tx: Db,
  asn: string,
  state: "deleted" | "cancelled",
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("account_deletions")
    .set({ state, ended_at: now })
    .where("asn", "=", asn)
    .where("state", "=", "running")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function findRunningOfAs(db: Db, asn: string): Promise<DeletionRow | null> {
  const row = await db
    .selectFrom("account_deletions")
    .selectAll()
    .where("asn", "=", asn)
    .where("state", "=", "running")
    .executeTakeFirst();
  return row ?? null;
}

export async function findRunning(db: Db): Promise<DeletionRow[]> {
  return db
    .selectFrom("account_deletions")
    .selectAll()
    .where("state", "=", "running")
    .orderBy("started_at")
    .execute();
}

export async function findDeletion(db: Db, id: string): Promise<DeletionRow | null> {
  const row = await db.selectFrom("account_deletions").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Deletes the deletions that ended long ago. */
export async function deleteExpired(db: Db, retentionTime: number): Promise<void> {
  await db
    .deleteFrom("account_deletions")
    .where("ended_at", "<", retentionTime - retentionMs)
    .execute();
}

/**
 * Ends login sessions without an account: a login that checked the password just before the account was deleted may have
 * started one since. Returns their AS numbers.
 */
export async function endOrphanedSessions(db: Db): Promise<readonly string[]> {
  const rows = await db
    .deleteFrom("login_sessions")
    .where("asn", "in", (deleted) =>
      deleted.selectFrom("account_deletions").select("asn").where("state", "=", "deleted"),
    )
    .where("asn", "not in", (accounts) => accounts.selectFrom("accounts").select("asn"))
    .returning("asn")
    .execute();
  return [...new Set(rows.map(({ asn }) => asn))];
}

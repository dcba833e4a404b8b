/**
 * Compares accounts with the registry. An account whose AS is gone or has other maintainers than when it was verified is
 * flagged: its links end, no further ones are mailed, and the operator decides. Its peerings and its password remain.
 */
import type { Logger } from "pino";
import { endAllApiTokens } from "../../api/tokens/api-token-rows.ts";
import { noOrigin } from "../../audit/audit-event.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import type { Db } from "../../db/open.ts";
import { createJobLoop, type JobLoop } from "../../jobs/job-loop.ts";
import type { Registry } from "../../registry/registry.ts";
import { countOf, plural } from "#domain/text/plural.ts";
import { deletePasskeys } from "./passkeys/passkey-rows.ts";

export interface HolderCheckDeps {
  readonly db: Db;
  readonly registry: Pick<Registry, "findHolder">;
  readonly locks: AppContext["locks"];
  readonly clock: () => number;
  readonly log: Logger;
}

const hourMs = 3_600_000;
/** Every account once a day. */
const checkEveryMs = 24 * hourMs;

/** Creates the loop that looks every hour for accounts that were not compared for a day. */
export function createHolderChecks(deps: HolderCheckDeps): JobLoop {
  return createJobLoop({
    pollMs: hourMs,
    run: ({ closing }) => checkHolders(deps, closing),
    onError: (error) => deps.log.error({ err: error }, "comparing the accounts with the registry failed"),
  });
}

/** Compares every account that was not compared for a day. Without a current registry nothing is compared. */
export async function checkHolders(
  { db, registry, locks, clock, log }: HolderCheckDeps,
  signal: AbortSignal,
): Promise<void> {
  await locks.tryExclusive("account holders", async () => {
    const accounts = await db
      .selectFrom("accounts")
      .select("asn")
      .where("flagged_at", "is", null)
      .where("checked_at", "<=", clock() - checkEveryMs)
      .execute();
    for (const { asn } of accounts) {
      const holder = await registry.findHolder(asn);
      if (holder === null || signal.aborted) return;
      if (await flagIfChanged(db, { asn, holder }, clock())) {
        log.warn({ asn, holder }, "the AS of an account has another holder; no links are mailed for it");
      }
    }
  });
}

/** Compares an account with the holder in the registry. Returns whether the account is flagged. */
export async function flagIfChanged(
  db: Db,
  { asn, holder }: { readonly asn: string; readonly holder: string },
  now: number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const account = await tx
      .selectFrom("accounts")
      .select(["verified_holder", "flagged_at"])
      .where("asn", "=", asn)
      .executeTakeFirst();
    if (!account || account.flagged_at !== null) return account !== undefined;
    const isChanged = account.verified_holder !== holder;
    const flag = isChanged ? { flagged_at: now, flagged_holder: holder } : {};
    await tx
      .updateTable("accounts")
      .set({ ...flag, checked_at: now })
      .where("asn", "=", asn)
      .execute();
    if (isChanged) {
      await tx.deleteFrom("account_tokens").where("asn", "=", asn).execute();
      const detail = `Maintainers: ${account.verified_holder} → ${holder}.`;
      await recordEvent(tx, { kind: "account-flagged", asn, detail }, noOrigin, now);
    }
    return isChanged;
  });
}

export interface FlaggedAccount {
  readonly asn: string;
  readonly flaggedAt: number;
  readonly verifiedHolder: string;
  readonly flaggedHolder: string;
}

/** Lists the flagged accounts, the oldest flag first. */
export async function listFlaggedAccounts(db: Db): Promise<readonly FlaggedAccount[]> {
  const rows = await db
    .selectFrom("accounts")
    .select(["asn", "flagged_at", "verified_holder", "flagged_holder"])
    .where("flagged_at", "is not", null)
    .orderBy("flagged_at")
    .execute();
  return rows.map((row) => ({
    asn: row.asn,
    flaggedAt: row.flagged_at ?? 0,
    verifiedHolder: row.verified_holder,
    flaggedHolder: row.flagged_holder ?? "",
  }));
}

/**
 * Releases a flagged account: the holder for which it was flagged counts as verified. Its passkeys and API tokens end: they are those
 * of the former holder, and a reset of the password would not end all of them. Returns false if the account is not flagged.
 */
export async function releaseAccount(db: Db, asn: string, now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const released = await tx
      .updateTable("accounts")
      .set((row) => ({
        verified_holder: row.fn.coalesce("flagged_holder", "verified_holder"),
        flagged_at: null,
        flagged_holder: null,
      }))
      .where("asn", "=", asn)
      .where("flagged_at", "is not", null)
      .returning("verified_holder")
      .executeTakeFirst();
    if (!released) return false;
    const count = await deletePasskeys(tx, asn);
    const removed =
      count === 0
        ? ""
        : ` ${countOf(count, "passkey")} of the former holder ${plural(count, "was", "were")} removed.`;
    const detail = `Maintainers: ${released.verified_holder}.${removed}`;
    await recordEvent(tx, { kind: "account-released", asn, detail }, noOrigin, now);
    await endAllApiTokens(tx, asn, noOrigin, now, "because the AS has another holder");
    return true;
  });
}

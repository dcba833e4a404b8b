/**
 * Challenges: random nonces that a participant returns signed.
 *
 * Invariants:
 * - A challenge is used once: of several parallel uses, one consumes it.
 * - Only the browser that requested it can use it: a signature that was read by others is worthless to them.
 */
import { randomBytes } from "node:crypto";
import type { Selectable } from "kysely";
import type { RequestContext } from "#server/api/handlers.ts";
import { createSecret, hashSecret } from "#server/api/secret-tokens.ts";
import type { Db } from "#server/db/open.ts";
import type { ChallengesTable } from "#server/db/schema/account-tables.ts";

export type ChallengeRow = Selectable<ChallengesTable>;

export const challengeMs = 15 * 60_000;

/** Stores a new challenge for the browser that sends the request. `asn` is null if the proof names the AS. */
export async function issueChallenge(
  db: Db,
  { purpose, asn }: Pick<ChallengeRow, "purpose" | "asn">,
  { challengeCookie, setChallengeCookie }: Pick<RequestContext, "challengeCookie" | "setChallengeCookie">,
  now: number,
): Promise<ChallengeRow> {
  await db.deleteFrom("challenges").where("expires_at", "<=", now).execute();
  const isKnown = challengeCookie !== null && hashSecret(challengeCookie) !== null;
  const browser = isKnown ? challengeCookie : createSecret();
  const row = {
    nonce: randomBytes(16).toString("hex"),
    purpose,
    asn,
    browser: hashSecret(browser) ?? "",
    expires_at: now + challengeMs,
  };
  await db.insertInto("challenges").values(row).execute();
  setChallengeCookie(browser);
  return row;
}

export interface ReturnedChallenge {
  readonly nonce: string;
  /** The browser's challenge cookie; null without one. */
  readonly browser: string | null;
}

/** Returns a challenge of this browser without consuming it; null for an unknown, used or expired one. */
export async function findChallenge(
  db: Db,
  { nonce, browser }: ReturnedChallenge,
  now: number,
): Promise<ChallengeRow | null> {
  const hash = browser === null ? null : hashSecret(browser);
  if (hash === null) return null;
  const row = await db
    .selectFrom("challenges")
    .selectAll()
    .where("nonce", "=", nonce)
    .where("browser", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ?? null;
}

/** Consumes a challenge in one statement. Returns false if it was consumed in the meantime. */
export async function consumeChallenge(tx: Db, { nonce }: Pick<ChallengeRow, "nonce">): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom("challenges").where("nonce", "=", nonce).executeTakeFirst();
  return numDeletedRows > 0n;
}

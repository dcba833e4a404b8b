/** The rows of login sessions: how they begin, and how they end without an act of the participant. */
import { describeBrowser } from "../../domain/browser-name.ts";
import { toAddressPrefix } from "../../domain/client-key.ts";
import { type AuditOrigin, noOrigin } from "../audit/audit-event.ts";
import { recordEvent } from "../audit/record-event.ts";
import type { Db } from "../db/open.ts";
import { createSecret, hashSecret, toLoginSessionId } from "./secret-tokens.ts";

/** A login session ends this long after the last visit. */
export const loginSessionMs = 30 * 24 * 3_600_000;
/** Login sessions of an AS: far more than it uses browsers. */
const maxPerAs = 50;

/** The request of a login. */
export interface LoginOrigin extends AuditOrigin {
  /** Its User-Agent header. */
  readonly userAgent?: string | null;
  /** Another sentence for the record of the login. */
  readonly detail?: string;
}

/** Returns the token of the new login session, and its hash. */
export async function insertSession(tx: Db, asn: string, origin: LoginOrigin, now: number) {
  const token = createSecret();
  const hash = hashSecret(token) ?? "";
  await tx
    .insertInto("login_sessions")
    .values({
      hash,
      asn,
      created_at: now,
      expires_at: now + loginSessionMs,
      used_at: now,
      address_prefix: toAddressPrefix(origin.clientAddress),
      browser: describeBrowser(origin.userAgent ?? null),
    })
    .execute();
  return { token, hash };
}

/**
 * Ends the login sessions that were used longest ago, until the AS has `maxPerAs`. The newest one stays. Returns whether
 * it ended any.
 */
export async function endOldest(tx: Db, asn: string, newest: string, now: number): Promise<boolean> {
  const ended = await tx
    .deleteFrom("login_sessions")
    .where("asn", "=", asn)
    .where("hash", "!=", newest)
    .where("hash", "not in", (query) =>
      query
        .selectFrom("login_sessions")
        .select("hash")
        .where("asn", "=", asn)
        .where("hash", "!=", newest)
        .orderBy("used_at", "desc")
        .orderBy("created_at", "desc")
        .limit(maxPerAs - 1),
    )
    .returning(["hash", "asn"])
    .execute();
  await recordEnded(tx, ended, "login-session-displaced", now);
  return ended.length > 0;
}

/** Limits the time of one transaction. The next run deletes the rest. */
const maxExpiredPerRun = 500;

/** Deletes and records some of the login sessions that have expired at a time. */
export async function deleteExpired(
  tx: Db,
  { now, expiredAt }: { readonly now: number; readonly expiredAt: number },
): Promise<void> {
  const expired = await tx
    .deleteFrom("login_sessions")
    .where("hash", "in", (query) =>
      query
        .selectFrom("login_sessions")
        .select("hash")
        .where("expires_at", "<=", expiredAt)
        .limit(maxExpiredPerRun),
    )
    .returning(["hash", "asn"])
    .execute();
  await recordEnded(tx, expired, "login-session-expired", now);
}

async function recordEnded(
  tx: Db,
  ended: ReadonlyArray<{ readonly hash: string; readonly asn: string }>,
  kind: "login-session-displaced" | "login-session-expired",
  now: number,
): Promise<void> {
  for (const { hash, asn } of ended) {
    await recordEvent(tx, { kind, asn }, { ...noOrigin, loginSession: toLoginSessionId(hash) }, now);
  }
}

import { HttpError } from "#contract/http-error.ts";
import type { RequestContext } from "#server/api/handlers.ts";
import type { AppContext } from "#server/context.ts";
import type { Db } from "#server/db/open.ts";
import { findPasswordHash } from "../accounts.ts";
import { findLoginRefusal } from "../blocks.ts";
import { type CheckedPassword, invalidCredentialsError } from "../login.ts";
import { announceNotice, writeNotice } from "../notices/notice-store.ts";

export type StartLoginSessionContext = Pick<
  AppContext,
  "db" | "events" | "loginSessions" | "knownClients" | "rateLimits" | "profile" | "clock"
>;

/** A login that was proved: with the password, whose stored hash is the account's state, or with what `detail` says. */
export interface ProvenLogin extends CheckedPassword {
  /** A sentence for the audit log. */
  readonly detail?: string;
}

/**
 * Starts the login session of an AS whose login was proved, and returns its token. A mail reports a client that is not
 * known, except at the first login after the registration. Throws `HttpError` 403 for a blocked AS, and 401 if the
 * password was changed or the account deleted in the meantime.
 */
export async function startLoginSession(
  context: StartLoginSessionContext,
  { asn, hash, detail = "" }: ProvenLogin,
  { origin, knownClientCookie }: Pick<RequestContext, "origin" | "knownClientCookie">,
): Promise<string> {
  const { db, events, loginSessions, knownClients, profile, clock } = context;
  const refusal = await findLoginRefusal(db, asn, profile);
  if (refusal) throw refusal;
  const isKnown = knownClients.find(knownClientCookie, asn) !== null;
  // Also of a known client: the browser that has set the password is one before its first login.
  const isFirst = await isFirstLogin(db, asn);
  const hasNotice = !isKnown && !isFirst && (await hasMailLeft(context, asn));
  const sentences = [detail, isKnown ? "" : "This browser had not logged in before."].filter(Boolean);
  const login = sentences.length === 0 ? origin : { ...origin, detail: sentences.join(" ") };
  const token = await loginSessions.start(asn, login, async (tx) => {
    if (isFirst) await recordFirstLogin(tx, asn, clock());
    if (hasNotice) await writeNotice(tx, { asn, kind: "newClient", at: clock() }, origin);
  });
  // A change of the password, a deletion and a block end all login sessions, but may not have seen this one.
  const isCurrent = (await findPasswordHash(db, asn)) === hash;
  const lateRefusal = isCurrent ? await findLoginRefusal(db, asn, profile) : invalidCredentialsError();
  if (lateRefusal) {
    await loginSessions.end(token);
    throw lateRefusal;
  }
  if (hasNotice) await announceNotice(events, asn);
  return token;
}

async function isFirstLogin(db: Db, asn: string): Promise<boolean> {
  const account = await db
    .selectFrom("accounts")
    .select("first_login_at")
    .where("asn", "=", asn)
    .executeTakeFirst();
  return account?.first_login_at === null;
}

async function recordFirstLogin(tx: Db, asn: string, now: number): Promise<void> {
  await tx.updateTable("accounts").set({ first_login_at: now }).where("asn", "=", asn).execute();
}

/** Too many mails never make a login fail. */
async function hasMailLeft(
  { rateLimits }: Pick<StartLoginSessionContext, "rateLimits">,
  asn: string,
): Promise<boolean> {
  try {
    await rateLimits.newClientMailPerAs.take(asn);
    return true;
  } catch (error) {
    if (error instanceof HttpError && error.status === 429) return false;
    throw error;
  }
}

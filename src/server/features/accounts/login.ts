import { isAsn } from "#domain/asn.ts";
import { type Count, giveBackAll, takeAll } from "../../api/rate-limits.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import type { AuditOrigin } from "../../audit/audit-event.ts";
import { recordPublicEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import { findPasswordHash } from "./accounts.ts";
import { accountTurn, type HashTurn, type Passwords, strangerTurn } from "./passwords.ts";

export type LoginContext = Pick<AppContext, "db" | "rateLimits" | "knownClients" | "clock">;

export interface LoginAttempt {
  readonly username: string;
  readonly password: string;
  readonly clientAddress: string;
  readonly knownClientCookie: string | null;
  readonly origin: AuditOrigin;
}

/** The password that was right, by its stored hash. */
export interface CheckedPassword {
  readonly asn: string;
  readonly hash: string;
}

/**
 * Checks the password of an AS. Throws `HttpError` 401 after the same work whether the AS has an account or not, and
 * 429 after too many attempts.
 */
export async function checkLogin(
  context: LoginContext,
  passwords: Passwords,
  { username, password, clientAddress, knownClientCookie, origin }: LoginAttempt,
): Promise<CheckedPassword> {
  const asn = isAsn(username) ? username : null;
  const counts = listCounts(context, asn, clientAddress, knownClientCookie);
  const { stored, isRight } = await verifyCounted(context, passwords, { asn, password, counts });
  if (asn !== null && stored !== null && isRight) return { asn, hash: stored };
  await recordFailure(context, asn, stored !== null, origin);
  throw invalidCredentialsError();
}

export function invalidCredentialsError(): HttpError {
  return new HttpError(401, { message: errorMessages.invalidCredentials });
}

export interface Confirmation {
  readonly asn: string;
  readonly password: string;
  /** The field of the request body that contains the password. */
  readonly field: string;
  readonly origin: AuditOrigin;
}

/**
 * Checks the current password of a logged-in AS before a change that needs it. Its failures have a limit of their own:
 * the thief of a login session cannot use up the limits of the login. Throws `HttpError` 422 for the field, and 429.
 */
export async function confirmPassword(
  context: Pick<LoginContext, "db" | "rateLimits" | "clock">,
  passwords: Passwords,
  { asn, password, field, origin }: Confirmation,
): Promise<CheckedPassword> {
  const { failedLoginPerAs, loginPerAs, loginPerAsAndDay } = context.rateLimits;
  const failed = { limit: failedLoginPerAs, key: `${asn} logged in` };
  const success = [
    { limit: loginPerAs, key: asn },
    { limit: loginPerAsAndDay, key: asn },
  ];
  const counts = {
    attempt: [failed, ...success],
    failureOnly: [failed],
    successOnly: success,
    turn: accountTurn(asn),
  };
  const { stored, isRight } = await verifyCounted(context, passwords, { asn, password, counts });
  if (stored !== null && isRight) return { asn, hash: stored };
  await recordFailure(context, asn, stored !== null, origin);
  throw new HttpError(422, { message: "This is not your current password. Nothing was changed.", field });
}

interface CountedAttempt {
  /** Null for a text that is not an AS number. */
  readonly asn: string | null;
  readonly password: string;
  readonly counts: LoginCounts;
}

interface Verified {
  /** Null if there is no account. */
  readonly stored: string | null;
  readonly isRight: boolean;
}

async function verifyCounted(
  { db }: Pick<AppContext, "db">,
  passwords: Passwords,
  { asn, password, counts }: CountedAttempt,
): Promise<Verified> {
  // Counted before the password is verified, so that parallel attempts count too.
  await takeAll(counts.attempt);

  let isRight: boolean;
  let stored: string | null;
  try {
    stored = asn === null ? null : await findPasswordHash(db, asn);
    isRight = await passwords.verify(password, stored, counts.turn);
  } catch (error) {
    // The queue was full or the database failed: the password was not verified, so it was no attempt.
    await giveBackAll(counts.attempt);
    throw error;
  }
  await giveBackAll(isRight ? counts.failureOnly : counts.successOnly);
  return { stored, isRight };
}

/** What was entered instead of an AS number is not recorded: it may be the password. */
async function recordFailure(
  { db, clock }: Pick<LoginContext, "db" | "clock">,
  asn: string | null,
  hasAccount: boolean,
  origin: AuditOrigin,
): Promise<void> {
  const kind = hasAccount ? "login-failed" : "login-failed-no-account";
  await db.transaction().execute((tx) => recordPublicEvent(tx, { kind, asn, hasAccount }, origin, clock()));
}

interface LoginCounts {
  /** Everything that an attempt counts for. */
  readonly attempt: readonly Count[];
  /** The part of `attempt` that a success does not count for. */
  readonly failureOnly: readonly Count[];
  /** The part of `attempt` that a failure does not count for. */
  readonly successOnly: readonly Count[];
  readonly turn: HashTurn;
}

/**
 * A known client has its own limit of failures: other clients, also behind its address, cannot lock it out. All known
 * clients of an AS count together and take turns as one client, or one account with many of them would have no limit.
 */
function listCounts(
  { rateLimits, knownClients }: LoginContext,
  asn: string | null,
  clientAddress: string,
  knownClientCookie: string | null,
): LoginCounts {
  const perClient = rateLimits.failedLoginPerClient.countsOf(clientAddress);
  const turn = strangerTurn(clientAddress);
  if (asn === null) return { attempt: perClient, failureOnly: [], successOnly: [], turn };
  const perAs = { limit: rateLimits.loginPerAs, key: asn };
  const perDay = { limit: rateLimits.loginPerAsAndDay, key: asn };
  const knownId = knownClients.find(knownClientCookie, asn);
  if (knownId === null) {
    // In this order, parallel logins to one AS never use up the limit of an address.
    const failed = [{ limit: rateLimits.failedLoginPerAs, key: asn }, ...perClient];
    return { attempt: [...failed, perAs, perDay], failureOnly: failed, successOnly: [perAs, perDay], turn };
  }
  const failed = { limit: rateLimits.failedLoginPerAs, key: `${asn} ${knownId}` };
  return {
    attempt: [failed, perAs, perDay],
    failureOnly: [failed],
    successOnly: [perDay],
    turn: accountTurn(asn),
  };
}

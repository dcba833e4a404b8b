import { parseAsn } from "#domain/asn.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import type { RequestOrigin } from "../../api/handlers.ts";
import { takeAll } from "../../api/rate-limits.ts";
import { endPasswordApiTokens } from "../../api/tokens/api-token-rows.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import { announceNotice, writeNotice } from "./notices/notice-store.ts";
import { storePasswordHash, consumeToken, findToken } from "./accounts.ts";
import type { IsCommonPassword } from "./common-passwords.ts";
import { accountTurn, type Passwords } from "./passwords.ts";

const minLength = 8;
const maxLength = 1024;

export type SetPasswordContext = Pick<AppContext, "db" | "events" | "loginSessions" | "rateLimits" | "clock">;

export interface PasswordDeps {
  readonly passwords: Passwords;
  readonly isCommon: IsCommonPassword;
}

/**
 * Sets the password of the AS that a token belongs to, consumes the token and ends all login sessions of the
 * AS. A mail reports a reset. Returns the AS. Throws `HttpError` 400 for an invalid token, and 422 for a password that is
 * not accepted; the token stays valid then.
 */
export async function setPassword(
  { db, events, loginSessions, rateLimits, clock }: SetPasswordContext,
  { passwords, isCommon }: PasswordDeps,
  { token, password }: { readonly token: string; readonly password: string },
  origin: RequestOrigin,
): Promise<{ readonly asn: string }> {
  await takeAll(rateLimits.setPasswordPerClient.countsOf(origin.clientAddress));
  const holder = await findToken(db, token, clock());
  if (!holder) throw invalidToken();
  const { asn, purpose, proof } = holder;
  assertAccepted(password, asn, isCommon);

  // Outside the transaction: hashing takes long, and a transaction blocks every other writer.
  const hash = await passwords.hash(password, accountTurn(asn));
  await db.transaction().execute(async (tx) => {
    const now = clock();
    const consumed = await consumeToken(tx, token, now);
    if (!consumed) throw invalidToken();
    await storePasswordHash(tx, consumed, hash, now);
    await loginSessions.endAll(tx, asn);
    await endPasswordApiTokens(tx, asn, origin, now);
    const detail = proof === null ? {} : { detail: `The AS was proved with ${proof}.` };
    const isMailed = proof === null;
    await recordEvent(
      tx,
      { kind: isMailed ? "password-set" : "password-set-by-proof", asn, ...detail },
      origin,
      now,
    );
    const kind = isMailed ? "passwordReset" : "passwordResetByProof";
    if (purpose === "reset") await writeNotice(tx, { asn, kind, at: now }, origin);
  });
  await loginSessions.announceEnded(asn);
  if (purpose === "reset") await announceNotice(events, asn);
  return { asn };
}

/** Throws `HttpError` 422 with the field `password` for a password that is not accepted. */
export function assertAccepted(password: string, asn: string, isCommon: IsCommonPassword): void {
  const message = checkPassword(password, asn) ?? commonPasswordMessage(password, asn, isCommon);
  if (message !== null) throw new HttpError(422, { message, field: "password" });
}

/**
 * Returns why a password is not accepted, or null. Length is counted in characters, not bytes.
 */
export function checkPassword(password: string, asn: string): string | null {
  const length = Array.from(password).length;
  if (length < minLength) return `Use at least ${minLength} characters; 15 or a sentence is better.`;
  if (length > maxLength) return `Use at most ${maxLength} characters.`;
  if (!password.isWellFormed()) return "The password contains a broken character. Type it again.";
  if (parseAsn(password) === asn) return "Your AS number is public. Choose something else.";
  return null;
}

/** The AS number is removed first: it adds nothing that an attacker does not know. */
function commonPasswordMessage(password: string, asn: string, isCommon: IsCommonPassword): string | null {
  return isCommon(password.replaceAll(asn, ""))
    ? "This password is too common. Choose one that is hard to guess, such as four random words."
    : null;
}

function invalidToken(): HttpError {
  return new HttpError(400, { message: errorMessages.invalidToken });
}

import { HttpError } from "#contract/http-error.ts";
import type { RequestOrigin } from "../../api/handlers.ts";
import { endPasswordApiTokens } from "../../api/tokens/api-token-rows.ts";
import { recordEvent } from "../../audit/record-event.ts";
import type { AppContext } from "../../context.ts";
import { confirmPassword } from "./login.ts";
import { announceNotice, writeNotice } from "./notices/notice-store.ts";
import { isPasswordOff } from "./passkeys/passkey-rows.ts";
import { accountTurn } from "./passwords.ts";
import { assertAccepted, type PasswordDeps } from "./set-password.ts";

export type ChangePasswordContext = Pick<
  AppContext,
  "db" | "events" | "loginSessions" | "rateLimits" | "clock"
>;

export interface PasswordChange {
  readonly asn: string;
  /** The token of the caller's login session. */
  readonly loginToken: string;
  readonly currentPassword: string;
  readonly password: string;
}

/**
 * Changes the password of a logged-in AS and replaces all its login sessions by a new one, whose token it returns: a
 * stolen cookie is worthless afterwards. Mailed links end too. A mail reports the change. Throws `HttpError` 409, 422 or
 * 429; then nothing has changed.
 */
export async function changePassword(
  context: ChangePasswordContext,
  { passwords, isCommon }: PasswordDeps,
  { asn, loginToken, currentPassword, password }: PasswordChange,
  origin: RequestOrigin,
): Promise<string> {
  const { db, events, loginSessions, clock } = context;
  if (await isPasswordOff(db, asn)) {
    throw new HttpError(409, {
      message:
        "The password is turned off. Nothing was changed; set a new one with “Forgot password?”, which turns it on.",
    });
  }
  assertAccepted(password, asn, isCommon);
  const current = await confirmPassword(context, passwords, {
    asn,
    password: currentPassword,
    field: "current_password",
    origin,
  });
  if (currentPassword.normalize("NFKC") === password.normalize("NFKC")) {
    throw new HttpError(422, {
      message: "This is your current password. Choose another one.",
      field: "password",
    });
  }
  // Outside the transaction, as for a mailed link.
  const hash = await passwords.hash(password, accountTurn(asn));
  const token = await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("accounts")
      .set({ password_hash: hash })
      .where("asn", "=", asn)
      .where("password_hash", "=", current.hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new HttpError(409, {
        message: "The password was changed by another login session. Nothing was changed here; log in again.",
      });
    }
    await tx.deleteFrom("account_tokens").where("asn", "=", asn).execute();
    const now = clock();
    await recordEvent(tx, { kind: "password-changed", asn }, origin, now);
    await writeNotice(tx, { asn, kind: "passwordChanged", at: now }, origin);
    const replacement = await loginSessions.replaceAll(tx, asn, loginToken, origin);
    await endPasswordApiTokens(tx, asn, origin, now);
    return replacement;
  });
  await loginSessions.announceEnded(asn);
  await announceNotice(events, asn);
  return token;
}

/**
 * Changes of the passkeys of an AS, and the end of its password.
 *
 * Invariant: while the password is turned off, a passkey is left that works at one of the public URLs. All changes take the lock of
 * the AS, so they are serialised over all servers.
 */
import { HttpError } from "#contract/http-error.ts";
import type { LoggedInContext, RequestOrigin } from "#server/api/handlers.ts";
import { createSecret } from "#server/api/secret-tokens.ts";
import { recordEvent } from "#server/audit/record-event.ts";
import type { AppContext } from "#server/context.ts";
import type { Db } from "#server/db/open.ts";
import { lockAccount } from "#server/db/peering-locks.ts";
import { assertLive } from "../login-sessions/assert-live.ts";
import { announceNotice, writeNotice } from "../notices/notice-store.ts";
import { accountTurn, type Passwords } from "../passwords.ts";
import { type ChallengeRow, consumeChallenge } from "../proofs/challenge-store.ts";
import type { CreatedPasskey } from "./ceremonies.ts";
import { findPasskeys, isPasswordOff, listUsable, type PasskeyRow } from "./passkey-rows.ts";
import { usedCeremonyError } from "./passkey-errors.ts";

export type PasskeyChangeContext = Pick<AppContext, "db" | "events" | "profile" | "clock">;

type Caller = Pick<LoggedInContext, "asn" | "loginToken" | "origin">;

export const maxPasskeys = 20;

export interface NewPasskey extends CreatedPasskey {
  readonly host: string;
  readonly name: string;
  readonly challenge: Pick<ChallengeRow, "nonce">;
}

/** Stores a passkey, consumes its challenge, and mails a notice. Throws `HttpError` 401, 409 or 422. */
export async function addPasskey(
  context: PasskeyChangeContext,
  caller: Caller,
  { id, publicKey, counter, host, name, challenge }: NewPasskey,
): Promise<PasskeyRow> {
  const { asn, origin } = caller;
  return changePasskeys(context, caller, async (tx, now) => {
    if (!(await consumeChallenge(tx, challenge))) throw usedCeremonyError();
    const own = await findPasskeys(tx, asn);
    if (own.length >= maxPasskeys) throw tooManyError();
    const added: PasskeyRow = {
      id,
      asn,
      host,
      public_key: publicKey,
      counter,
      name,
      created_at: now,
      used_at: null,
    };
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto("passkeys")
      .values(added)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new HttpError(409, { message: "This passkey was added before. Nothing was changed." });
    }
    await recordChange(tx, { kind: "passkey-added", asn, name }, origin, now);
    await writeNotice(tx, { asn, kind: "passkeyAdded", at: now }, origin);
    return added;
  });
}

export function tooManyError(): HttpError {
  return new HttpError(409, {
    message: `An AS can have ${maxPasskeys} passkeys. Nothing was changed; remove one that you do not use.`,
  });
}

/** Removes a passkey and mails a notice. Throws `HttpError` 404, and 409 for the last one while the password is off. */
export async function removePasskey(
  context: PasskeyChangeContext,
  caller: Caller,
  id: string,
): Promise<void> {
  const { asn, origin } = caller;
  await changePasskeys(context, caller, async (tx, now) => {
    const own = await findPasskeys(tx, asn);
    const removed = own.find((row) => row.id === id);
    if (!removed) {
      throw new HttpError(404, {
        message: "This passkey was removed before. Nothing was changed.",
        field: "id",
      });
    }
    const left = listUsable(
      own.filter((row) => row !== removed),
      context.profile,
    );
    if (left.length === 0 && (await isPasswordOff(tx, asn))) {
      throw new HttpError(409, {
        message:
          "The password is turned off, and no other passkey would be left to log in with, so nothing was removed. " +
          "Add another passkey, or set a password with “Forgot password?”.",
      });
    }
    await tx.deleteFrom("passkeys").where("id", "=", id).execute();
    await recordChange(tx, { kind: "passkey-removed", asn, name: removed.name }, origin, now);
    await writeNotice(tx, { asn, kind: "passkeyRemoved", at: now }, origin);
  });
}

/**
 * Turns the password off: its hash becomes that of random bytes (decision 86). Throws `HttpError` 409 until a passkey was used to
 * log in.
 */
export async function turnPasswordOff(
  context: PasskeyChangeContext,
  passwords: Passwords,
  caller: Caller,
): Promise<void> {
  const { asn, origin } = caller;
  // Outside the transaction, as for every other password.
  const hash = await passwords.hash(createSecret(), accountTurn(asn));
  await changePasskeys(context, caller, async (tx, now) => {
    const usable = listUsable(await findPasskeys(tx, asn), context.profile);
    if (usable.every((row) => row.used_at === null)) {
      throw new HttpError(409, {
        message: "Log in with a passkey once, then turn the password off. Nothing was changed.",
      });
    }
    const { numUpdatedRows } = await tx
      .updateTable("accounts")
      .set({ password_hash: hash, password_off_at: now })
      .where("asn", "=", asn)
      .where("password_off_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw new HttpError(409, { message: "The password is turned off already." });
    }
    await recordEvent(tx, { kind: "password-turned-off", asn }, origin, now);
    await writeNotice(tx, { asn, kind: "passwordTurnedOff", at: now }, origin);
  });
}

/** Every change is followed by a notice to the holder. Throws `HttpError` 401 for a login session that has ended meanwhile. */
async function changePasskeys<T>(
  { db, events, clock }: PasskeyChangeContext,
  { asn, loginToken }: Pick<Caller, "asn" | "loginToken">,
  change: (tx: Db, now: number) => Promise<T>,
): Promise<T> {
  const changed = await db.transaction().execute(async (tx) => {
    await lockAccount(tx, asn);
    const result = await change(tx, clock());
    await assertLive(tx, loginToken);
    return result;
  });
  await announceNotice(events, asn);
  return changed;
}

interface NamedChange {
  readonly kind: "passkey-added" | "passkey-removed";
  readonly asn: string;
  readonly name: string;
}

async function recordChange(
  tx: Db,
  { kind, asn, name }: NamedChange,
  origin: RequestOrigin,
  now: number,
): Promise<void> {
  await recordEvent(tx, { kind, asn, detail: `It is “${name}”.` }, origin, now);
}

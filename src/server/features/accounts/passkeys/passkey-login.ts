import type { UsedCredential } from "#contract/call-tables/accounts/passkey-calls.ts";
import type { RequestContext } from "#server/api/handlers.ts";
import { giveBackAll, takeAll } from "#server/api/rate-limits.ts";
import { recordPublicEvent } from "#server/audit/record-event.ts";
import type { AppContext } from "#server/context.ts";
import type { ProvenLogin } from "../login-sessions/start-login-session.ts";
import { type ChallengeRow, consumeChallenge, findChallenge } from "../proofs/challenge-store.ts";
import { verifyUsed } from "./ceremonies.ts";
import { refusedLoginError, requirePasskeyHost, usedCeremonyError } from "./passkey-errors.ts";

export type PasskeyLoginContext = Pick<AppContext, "db" | "profile" | "rateLimits" | "clock">;

interface ReturnedPasskey {
  readonly challenge: string;
  readonly credential: UsedCredential;
}

type Caller = Pick<RequestContext, "clientAddress" | "challengeCookie" | "origin">;

/**
 * Verifies a login with a passkey, and records its use. Failures count for the client alone: strangers cannot lock out an AS,
 * because nothing but a signature names one. Throws `HttpError` 401, 422 and 429.
 */
export async function checkPasskey(
  context: PasskeyLoginContext,
  returned: ReturnedPasskey,
  caller: Caller,
): Promise<ProvenLogin> {
  const { rateLimits } = context;
  const failures = rateLimits.failedLoginPerClient.countsOf(caller.clientAddress);
  await takeAll(failures);
  const proven = await verifyOnce(context, returned, caller);
  await giveBackAll(failures);
  await takeAll([
    { limit: rateLimits.loginPerAs, key: proven.asn },
    { limit: rateLimits.loginPerAsAndDay, key: proven.asn },
  ]);
  return proven;
}

async function verifyOnce(
  { db, profile, clock }: PasskeyLoginContext,
  { challenge: nonce, credential }: ReturnedPasskey,
  { challengeCookie, origin }: Caller,
): Promise<ProvenLogin> {
  const { publicUrl } = origin;
  const host = requirePasskeyHost(publicUrl, profile);
  const challenge = await findChallenge(db, { nonce, browser: challengeCookie }, clock());
  if (challenge?.purpose !== "passkey-login") throw usedCeremonyError();
  const passkey = await db
    .selectFrom("passkeys")
    .innerJoin("accounts", "accounts.asn", "passkeys.asn")
    .select([
      "passkeys.id",
      "passkeys.asn",
      "public_key",
      "counter",
      "name",
      "passkey_handle",
      "password_hash",
    ])
    .where("id", "=", credential.id)
    .where("host", "=", host)
    .executeTakeFirst();
  const { userHandle } = credential.response;
  if (!passkey || userHandle !== passkey.passkey_handle) throw refusedLoginError();
  const counter = await verifyUsed({ host, publicUrl, nonce }, credential, passkey);
  if (counter === null) throw refusedLoginError();
  const { asn } = passkey;
  const isKept = await db
    .transaction()
    .execute((tx) => recordUse(tx, { challenge, passkey, counter }, clock()));
  if (!isKept) {
    const event = {
      kind: "passkey-copied",
      asn,
      detail: `It is “${passkey.name}”.`,
      hasAccount: true,
    } as const;
    await db.transaction().execute((tx) => recordPublicEvent(tx, event, origin, clock()));
    throw refusedLoginError();
  }
  return { asn, hash: passkey.password_hash, detail: `It was with the passkey “${passkey.name}”.` };
}

interface PasskeyUse {
  readonly challenge: ChallengeRow;
  readonly passkey: { readonly id: string; readonly counter: number };
  readonly counter: number;
}

/**
 * Consumes the challenge and stores the counter. Returns false if the counter has not gone on (WebAuthn, 6.1.1): then only the
 * challenge is consumed. Authenticators that copy passkeys between devices send zero always.
 */
async function recordUse(
  tx: AppContext["db"],
  { challenge, passkey, counter }: PasskeyUse,
  now: number,
): Promise<boolean> {
  if (!(await consumeChallenge(tx, challenge))) throw usedCeremonyError();
  const { numUpdatedRows } = await tx
    .updateTable("passkeys")
    .set({ counter, used_at: now })
    .where("id", "=", passkey.id)
    .where("counter", counter === 0 ? "=" : "<", counter)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

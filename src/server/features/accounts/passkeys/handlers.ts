import type { CallBody, CallResponse } from "#contract/call.ts";
import type { passkeyCalls } from "#contract/call-tables/accounts/passkey-calls.ts";
import { HttpError } from "#contract/http-error.ts";
import { checkPasskeyName } from "#domain/proofs/passkey-name.ts";
import type { Handlers, LoggedInContext } from "#server/api/handlers.ts";
import { takeAll } from "#server/api/rate-limits.ts";
import { createSecret } from "#server/api/secret-tokens.ts";
import { notLoggedInError } from "#server/api/serve-calls.ts";
import type { AppContext } from "#server/context.ts";
import { completeLogin } from "../login-sessions/complete-login.ts";
import type { StartLoginSessionContext } from "../login-sessions/start-login-session.ts";
import type { Passwords } from "../passwords.ts";
import { findChallenge, issueChallenge } from "../proofs/challenge-store.ts";
import { renderCreationOptions, renderRequestOptions, verifyCreated } from "./ceremonies.ts";
import {
  addPasskey,
  maxPasskeys,
  type PasskeyChangeContext,
  removePasskey,
  tooManyError,
  turnPasswordOff,
} from "./change-passkeys.ts";
import { refusedCreationError, requirePasskeyHost, usedCeremonyError } from "./passkey-errors.ts";
import { checkPasskey, type PasskeyLoginContext } from "./passkey-login.ts";
import { findPasskeys, presentPasskey } from "./passkey-rows.ts";
import { assertRecentLogin } from "./recent-login.ts";

export type PasskeyContext = PasskeyChangeContext & PasskeyLoginContext & StartLoginSessionContext;

type PasskeyCalls = typeof passkeyCalls;

export function passkeyHandlers(
  context: PasskeyContext,
  passwords: Passwords,
): Pick<Handlers, keyof PasskeyCalls> {
  const { db, rateLimits, clock } = context;
  const assertMayChange = async (request: LoggedInContext) => {
    await assertRecentLogin(context, request);
    await rateLimits.passkeyChangePerAs.take(request.asn);
  };
  return {
    getPasskeys: async (_requestBody, { asn, origin }) =>
      (await findPasskeys(db, asn)).map((row) => presentPasskey(row, origin.publicUrl)),

    startPasskeyAddition: async (_requestBody, request) => {
      await assertMayChange(request);
      return startAddition(context, request);
    },

    finishPasskeyAddition: async (requestBody, request) => {
      await assertRecentLogin(context, request);
      return finishAddition(context, requestBody, request);
    },

    removePasskey: async ({ id }, request) => {
      await assertMayChange(request);
      await removePasskey(context, request, id);
      return {};
    },

    turnPasswordOff: async (_requestBody, request) => {
      await assertMayChange(request);
      await turnPasswordOff(context, passwords, request);
      return {};
    },

    startPasskeyLogin: async (_requestBody, request) => {
      const host = requirePasskeyHost(request.origin.publicUrl, context.profile);
      await takeAll(rateLimits.passkeyLoginPerClient.countsOf(request.clientAddress));
      const { nonce } = await issueChallenge(db, { purpose: "passkey-login", asn: null }, request, clock());
      return { challenge: nonce, options: renderRequestOptions({ host, nonce }) };
    },

    finishPasskeyLogin: async (requestBody, request) => {
      const proven = await checkPasskey(context, requestBody, request);
      await completeLogin(context, proven, request);
      return { username: proven.asn };
    },
  };
}

async function startAddition(
  context: PasskeyContext,
  request: LoggedInContext,
): Promise<CallResponse<PasskeyCalls["startPasskeyAddition"]>> {
  const { db, profile, clock } = context;
  const { asn, origin } = request;
  const host = requirePasskeyHost(origin.publicUrl, profile);
  const own = await findPasskeys(db, asn);
  if (own.length >= maxPasskeys) throw tooManyError();
  const handle = await findOrCreateHandle(db, asn);
  const { nonce } = await issueChallenge(db, { purpose: "passkey-addition", asn }, request, clock());
  const ids = own.filter((row) => row.host === host).map(({ id }) => id);
  const options = renderCreationOptions({ host, nonce }, { asn, handle, ids }, profile.name);
  return { challenge: nonce, options };
}

async function finishAddition(
  context: PasskeyContext,
  { challenge: nonce, name: typed, credential }: CallBody<PasskeyCalls["finishPasskeyAddition"]>,
  request: LoggedInContext,
): Promise<CallResponse<PasskeyCalls["finishPasskeyAddition"]>> {
  const { db, profile, clock } = context;
  const { asn, challengeCookie, origin } = request;
  const { publicUrl } = origin;
  const host = requirePasskeyHost(publicUrl, profile);
  const name = typed.trim();
  const problem = checkPasskeyName(name);
  if (problem !== "") throw new HttpError(422, { message: `${problem} Nothing was added.`, field: "name" });
  const challenge = await findChallenge(db, { nonce, browser: challengeCookie }, clock());
  if (challenge?.purpose !== "passkey-addition" || challenge.asn !== asn) throw usedCeremonyError();
  const created = await verifyCreated({ host, publicUrl, nonce }, credential);
  if (created === null) throw refusedCreationError();
  const added = await addPasskey(context, request, { ...created, host, name, challenge });
  return presentPasskey(added, publicUrl);
}

/** Returns the user handle of an AS, which all its passkeys share. */
async function findOrCreateHandle(db: AppContext["db"], asn: string): Promise<string> {
  await db
    .updateTable("accounts")
    .set({ passkey_handle: createSecret() })
    .where("asn", "=", asn)
    .where("passkey_handle", "is", null)
    .execute();
  const row = await db
    .selectFrom("accounts")
    .select("passkey_handle")
    .where("asn", "=", asn)
    .executeTakeFirst();
  if (typeof row?.passkey_handle !== "string") throw notLoggedInError();
  return row.passkey_handle;
}

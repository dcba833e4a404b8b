/**
 * What a return from Kioubit's authentication service does.
 *
 * Invariants:
 * - The challenge in a response is consumed once, in the browser that requested it. So each signature is used once, and a link
 *   of another person cannot log a visitor into that person's account.
 * - The browser is sent to fixed paths of the app only.
 */
import type { KioubitPurpose } from "#contract/call-tables/accounts/kioubit-calls.ts";
import type { KioubitFailure } from "#domain/proofs/kioubit-failures.ts";
import type { RequestContext } from "#server/api/handlers.ts";
import { takeAll } from "#server/api/rate-limits.ts";
import type { KioubitProfile } from "#server/config/profile.ts";
import { findPasswordHash } from "../accounts.ts";
import { findBlock } from "../blocks.ts";
import { completeLogin } from "../login-sessions/complete-login.ts";
import type { StartLoginSessionContext } from "../login-sessions/start-login-session.ts";
import { assertCurrentRegistry, type OwnershipContext, readVerifiedHolder } from "../ownership-checks.ts";
import { type ChallengeRow, consumeChallenge, findChallenge } from "../proofs/challenge-store.ts";
import { grantToken } from "../proofs/grant-token.ts";
import { type KioubitReturn, verifyReturn } from "./verify-return.ts";

export type ReturnContext = OwnershipContext & StartLoginSessionContext;

export class RefusedReturnError extends Error {
  override readonly name = "RefusedReturnError";
  readonly failure: KioubitFailure;

  constructor(failure: KioubitFailure) {
    super(`refused: ${failure}`);
    this.failure = failure;
  }
}

export interface FinishedReturn extends KioubitReturn, Pick<KioubitProfile, "publicKey"> {
  /** By the path of the return. */
  readonly purpose: KioubitPurpose;
}

/**
 * Verifies a return, and logs in or grants a token that sets the password. Returns the path of the app that the browser
 * opens. Throws `RefusedReturnError`, and `HttpError` 401, 403, 404, 409, 422, 429 or 503; then no password can be
 * set, and no login session was started.
 */
export async function finishReturn(
  context: ReturnContext,
  { purpose, publicKey, ...given }: FinishedReturn,
  request: RequestContext,
): Promise<string> {
  const { db, profile, registry, rateLimits, clock } = context;
  const { clientAddress, challengeCookie, origin } = request;
  await takeAll(rateLimits.proofPerClient.countsOf(clientAddress));
  const now = clock();
  const verified = verifyReturn(given, { publicKey, publicUrl: origin.publicUrl, now });
  if ("failure" in verified) throw new RefusedReturnError(verified.failure);
  const { asn, nonce } = verified;
  const challenge = await findChallenge(db, { nonce, browser: challengeCookie }, now);
  if (challenge?.purpose !== purpose) throw new RefusedReturnError("unknown-request");
  if (challenge.asn !== null && challenge.asn !== asn) throw new RefusedReturnError("other-as");
  if (asn === profile.asn) throw new RefusedReturnError("own-as");
  if ((await findBlock(db, asn)) !== null) throw new RefusedReturnError("blocked");
  await assertCurrentRegistry(context, asn, purpose !== "registration");
  if (purpose === "login") return logIn(context, { asn, challenge }, request);
  // Of an AS with an account, `grantToken` compares the holder, and flags the account if the AS is gone.
  if (purpose === "registration" && !(await registry.findKeys(asn)).found)
    throw new RefusedReturnError("unknown-as");
  const proof = "Kioubit's authentication service";
  const token = await grantToken(context, { asn, purpose, challenge, proof }, origin);
  return `/setPassword?${new URLSearchParams({ token, purpose }).toString()}`;
}

async function logIn(
  context: ReturnContext,
  { asn, challenge }: { readonly asn: string; readonly challenge: ChallengeRow },
  request: RequestContext,
): Promise<string> {
  const { db, rateLimits } = context;
  const hash = await findPasswordHash(db, asn);
  if (hash === null) throw new RefusedReturnError("no-account");
  await readVerifiedHolder(context, asn, "you were not logged in");
  if (!(await consumeChallenge(db, challenge))) throw new RefusedReturnError("unknown-request");
  await takeAll([
    { limit: rateLimits.loginPerAs, key: asn },
    { limit: rateLimits.loginPerAsAndDay, key: asn },
  ]);
  const detail = "It was with Kioubit's authentication service.";
  await completeLogin(context, { asn, hash, detail }, request);
  return "/manager";
}

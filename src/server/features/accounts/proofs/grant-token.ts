import type { RequestOrigin } from "#server/api/handlers.ts";
import { recordPublicEvent } from "#server/audit/record-event.ts";
import { issueToken, type TokenPurpose } from "../accounts.ts";
import {
  assertNotBlocked,
  assertPurposeFits,
  type OwnershipContext,
  readVerifiedHolder,
} from "../ownership-checks.ts";
import { type ChallengeRow, consumeChallenge } from "./challenge-store.ts";
import { usedChallengeError } from "./proof-errors.ts";

export interface ProvedAs {
  readonly asn: string;
  readonly purpose: TokenPurpose;
  readonly challenge: Pick<ChallengeRow, "nonce">;
  /** "the SSH key SHA256:…" */
  readonly proof: string;
}

/**
 * Consumes the challenge of a proof that was accepted, and returns a token that sets the password, as a mailed link has one.
 * Throws `HttpError` 403, 404, 409, 422 or 503; then nothing has changed.
 */
export async function grantToken(
  context: OwnershipContext,
  { asn, purpose, challenge, proof }: ProvedAs,
  origin: RequestOrigin,
): Promise<string> {
  const { db, clock } = context;
  const consequence = "no password can be set";
  await assertNotBlocked(context, asn, consequence);
  await assertPurposeFits(db, asn, purpose);
  const holder = await readVerifiedHolder(context, asn, consequence);
  return db.transaction().execute(async (tx) => {
    if (!(await consumeChallenge(tx, challenge))) throw usedChallengeError();
    const now = clock();
    const { token } = await issueToken(tx, { asn, purpose, holder, proof }, now);
    const event = {
      kind: "ownership-proved",
      asn,
      detail: `It was ${proof}.`,
      hasAccount: purpose === "reset",
    } as const;
    await recordPublicEvent(tx, event, origin, now);
    return token;
  });
}

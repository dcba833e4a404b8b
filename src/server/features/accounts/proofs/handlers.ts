import type { CallBody, CallResponse } from "#contract/call.ts";
import type { proofCalls } from "#contract/call-tables/accounts/proof-calls.ts";
import { HttpError, errorMessages } from "#contract/http-error.ts";
import { createFairQueue } from "#domain/concurrency/fair-queue.ts";
import { describeAuthProblem } from "#domain/proofs/auth-problems.ts";
import { proofNamespace, renderChallenge } from "#domain/proofs/challenge.ts";
import type { Handlers, RequestContext } from "#server/api/handlers.ts";
import { takeAll } from "#server/api/rate-limits.ts";
import type { AppContext } from "#server/context.ts";
import type { AuthKey } from "#server/registry/auth/auth-keys.ts";
import { assertCurrentRegistry, assertUsableAsn, type OwnershipContext } from "../ownership-checks.ts";
import { strangerTurn } from "../passwords.ts";
import { type ChallengeRow, findChallenge, issueChallenge } from "./challenge-store.ts";
import { grantToken } from "./grant-token.ts";
import { refusedProofError, usedChallengeError } from "./proof-errors.ts";
import { verifySignature } from "./verify-signature.ts";

export type ProofContext = OwnershipContext & Pick<AppContext, "rateLimits">;

type ProofCalls = typeof proofCalls;

export function proofHandlers(context: ProofContext): Pick<Handlers, keyof ProofCalls> {
  // A verification takes milliseconds, but anyone can ask for one.
  const enqueue = createFairQueue({ concurrency: 2, maxWaiting: 64, createError: queueFullError });
  return {
    requestProof: (body, request) => requestProof(context, body, request),
    proveOwnership: (body, request) => {
      // Only the verification waits for its turn: a registry that does not respond delays no proof of others.
      const verify: VerifySignature = (proof) =>
        enqueue(strangerTurn(request.clientAddress), () => verifySignature(proof));
      return proveOwnership({ ...context, verify }, body, request);
    },
  };
}

/** Says the same of an AS with an account as of one without. */
async function requestProof(
  context: ProofContext,
  { asn, password_reset }: CallBody<ProofCalls["requestProof"]>,
  request: RequestContext,
): Promise<CallResponse<ProofCalls["requestProof"]>> {
  const { db, profile, registry, rateLimits, clock } = context;
  assertUsableAsn(asn, profile.asn);
  await takeAll(rateLimits.challengePerClient.countsOf(request.clientAddress));
  await assertCurrentRegistry(context, asn, false);
  const found = await registry.findKeys(asn);
  if (!found.found) throw new HttpError(404, { message: errorMessages.asNotFound });
  const purpose = password_reset === "Yes" ? "reset" : "registration";
  const challenge = await issueChallenge(db, { purpose, asn }, request, clock());
  return {
    challenge: {
      id: challenge.nonce,
      text: renderChallenge({
        domain: profile.domain,
        asn,
        purpose,
        nonce: challenge.nonce,
        expiresAt: challenge.expires_at,
      }),
      expires: challenge.expires_at,
    },
    namespace: proofNamespace(profile.domain),
    keys: found.keys.map(presentKey),
    unusable: found.unusable.map(({ maintainer, line, problem }) => ({
      maintainer,
      line,
      reason: describeAuthProblem(problem),
    })),
  };
}

function presentKey({ kind, maintainer, type, fingerprint, publicKey }: AuthKey) {
  return { kind, maintainer, type, fingerprint, needs_public_key: publicKey === null };
}

type VerifySignature = typeof verifySignature;

async function proveOwnership(
  context: ProofContext & { readonly verify: VerifySignature },
  { challenge: nonce, signature, public_key: publicKey }: CallBody<ProofCalls["proveOwnership"]>,
  { clientAddress, challengeCookie, origin }: RequestContext,
): Promise<CallResponse<ProofCalls["proveOwnership"]>> {
  const { db, profile, registry, rateLimits, clock, verify } = context;
  await takeAll(rateLimits.proofPerClient.countsOf(clientAddress));
  const now = clock();
  const challenge = await findChallenge(db, { nonce, browser: challengeCookie }, now);
  if (!challenge || !isOfProof(challenge)) throw usedChallengeError();
  const { asn, purpose, expires_at: expiresAt } = challenge;
  // The keys are read again: one may have been removed since the challenge.
  await assertCurrentRegistry(context, asn, purpose === "reset");
  const found = await registry.findKeys(asn);
  const verdict = await verify({
    text: renderChallenge({ domain: profile.domain, asn, purpose, nonce, expiresAt }),
    namespace: proofNamespace(profile.domain),
    signature,
    publicKey,
    keys: found.found ? found.keys : [],
    now,
  });
  if ("refusal" in verdict) throw refusedProofError(verdict.refusal);
  const proof = `a signature of ${verdict.key.kind === "ssh" ? "the SSH key" : "the PGP key"} ${verdict.key.fingerprint} of ${verdict.key.maintainer}`;
  const token = await grantToken(context, { asn, purpose, challenge, proof }, origin);
  return { token, purpose };
}

type ProofChallenge = ChallengeRow & { readonly asn: string; readonly purpose: "registration" | "reset" };

function isOfProof(challenge: ChallengeRow): challenge is ProofChallenge {
  return challenge.asn !== null && (challenge.purpose === "registration" || challenge.purpose === "reset");
}

function queueFullError(): HttpError {
  return new HttpError(
    429,
    {
      message:
        "Too many signatures are being verified right now. Nothing was changed; try again in a few seconds.",
    },
    { retryAfterSeconds: 5 },
  );
}

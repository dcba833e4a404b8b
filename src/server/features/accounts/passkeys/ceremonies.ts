/**
 * What the browser and its authenticator do (WebAuthn): what they are asked for, and whether their response is right. The library
 * is loaded with the first response, since few servers need it at their start.
 */
import type {
  CreatedCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UsedCredential,
} from "#contract/call-tables/accounts/passkey-calls.ts";
import { challengeMs } from "../proofs/challenge-store.ts";

/** EdDSA, ECDSA with P-256, and RSA, which Windows needs. */
const algorithms = [-8, -7, -257];

/** Where a ceremony happens, and its challenge. */
export interface Ceremony {
  /** The RP ID. */
  readonly host: string;
  /** The expected origin. */
  readonly publicUrl: string;
  /** Hexadecimal. */
  readonly nonce: string;
}

export interface PasskeyOwner {
  readonly asn: string;
  /** The user handle, base64url. */
  readonly handle: string;
  /** The credential IDs that the AS has at this host. */
  readonly ids: readonly string[];
}

export function renderCreationOptions(
  { host, nonce }: Pick<Ceremony, "host" | "nonce">,
  { asn, handle, ids }: PasskeyOwner,
  providerName: string,
): PasskeyCreationOptions {
  const name = `AS${asn}`;
  return {
    challenge: toChallenge(nonce),
    rp: { id: host, name: providerName },
    user: { id: handle, name, displayName: `${name} at ${providerName}` },
    pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
    timeout: challengeMs,
    attestation: "none",
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    excludeCredentials: ids.map((id) => ({ type: "public-key", id })),
  };
}

export function renderRequestOptions({
  host,
  nonce,
}: Pick<Ceremony, "host" | "nonce">): PasskeyRequestOptions {
  return {
    challenge: toChallenge(nonce),
    rpId: host,
    timeout: challengeMs,
    userVerification: "required",
  };
}

/** As the client data of a response contain it. */
function toChallenge(nonce: string): string {
  return Buffer.from(nonce, "hex").toString("base64url");
}

export interface CreatedPasskey {
  readonly id: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly counter: number;
}

/** Returns the passkey that a browser has created; null if the response is not one to this ceremony. */
export async function verifyCreated(
  ceremony: Ceremony,
  { id, rawId, type, response }: CreatedCredential,
): Promise<CreatedPasskey | null> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  if (!(await isUnattested(response.attestationObject))) return null;
  const verified = await verifyRegistrationResponse({
    response: { id, rawId, type, response, clientExtensionResults: {} },
    ...expected(ceremony),
    supportedAlgorithmIDs: algorithms,
  }).catch(nullIfRefused);
  if (verified?.verified !== true) return null;
  const { credential } = verified.registrationInfo;
  // The ID that is signed counts, not the one beside it.
  if (credential.id !== id) return null;
  const publicKey = Buffer.from(credential.publicKey).toString("base64url");
  return { id, publicKey, counter: credential.counter };
}

/**
 * Whether an attestation names no certificates, as a browser sends it that is asked for none. The library would download revocation
 * lists from where certificates say.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  try {
    const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")));
    const format = decoded.get("fmt");
    return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
  } catch {
    return false;
  }
}

export interface StoredKey {
  readonly id: string;
  readonly public_key: string;
}

/** Verifies a login. Returns the authenticator's counter, which the caller compares; null if the response is refused. */
export async function verifyUsed(
  ceremony: Ceremony,
  { id, rawId, type, response }: UsedCredential,
  { public_key: publicKey }: StoredKey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { userHandle, ...signed } = response;
  const verified = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { ...signed, ...(typeof userHandle === "string" && { userHandle }) },
      clientExtensionResults: {},
    },
    ...expected(ceremony),
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 },
  }).catch(nullIfRefused);
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

function expected({ host, publicUrl, nonce }: Ceremony) {
  return {
    expectedChallenge: toChallenge(nonce),
    expectedOrigin: publicUrl,
    expectedRPID: host,
    requireUserVerification: true,
  };
}

/** The library throws for whatever is wrong with a response. */
function nullIfRefused(): null {
  return null;
}

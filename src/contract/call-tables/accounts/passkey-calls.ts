/** Calls about passkeys (decision 87): a participant adds them, logs in with one, and may turn the password off. */
import * as v from "valibot";
import { defineCalls } from "../../call.ts";
import * as e from "../../entities.ts";

/** Milliseconds since 1970 by the server's clock. */
const time = v.number();

export const maxPasskeyNameLength = 60;

export const passkey = v.object({
  /** The credential ID, base64url. */
  id: v.string(),
  /** Entered by the participant. */
  name: v.string(),
  created: time,
  /** The last login with it; null: none. */
  last_used: v.nullable(time),
  /** The only hostname at which it works. */
  host: v.string(),
  /** Whether it is that of the public URL that the caller used. */
  here: v.boolean(),
});
export type Passkey = v.InferOutput<typeof passkey>;

/** Bytes as base64url, no more than a browser sends. */
const bytes = v.pipe(v.string(), v.regex(/^[\w-]+$/, "Expected base64url"), v.maxLength(12_000));

/** WebAuthn limits credential IDs to 1,023 bytes. */
const credentialId = v.pipe(bytes, v.maxLength(1_364));

const publicKeyType = v.literal("public-key");

/** What belongs to both ceremonies. `challenge` is returned with the credential, and is what `options` has as bytes. */
const ceremony = { challenge: v.string() };

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
const creationOptions = v.object({
  challenge: v.string(),
  rp: v.object({ id: v.string(), name: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), displayName: v.string() }),
  pubKeyCredParams: v.array(v.object({ type: publicKeyType, alg: v.number() })),
  /** Milliseconds. */
  timeout: v.number(),
  attestation: v.literal("none"),
  authenticatorSelection: v.object({
    residentKey: v.literal("required"),
    requireResidentKey: v.literal(true),
    userVerification: v.literal("required"),
  }),
  /** The passkeys that the AS has at this host: an authenticator makes no second one. */
  excludeCredentials: v.array(v.object({ type: publicKeyType, id: v.string() })),
});
export type PasskeyCreationOptions = v.InferOutput<typeof creationOptions>;

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. Without a list of credentials, the participant chooses one. */
const requestOptions = v.object({
  challenge: v.string(),
  rpId: v.string(),
  timeout: v.number(),
  userVerification: v.literal("required"),
});
export type PasskeyRequestOptions = v.InferOutput<typeof requestOptions>;

const credential = { id: credentialId, rawId: credentialId, type: publicKeyType };

/** The parts of `RegistrationResponseJSON` that the server reads. */
const createdCredential = v.object({
  ...credential,
  response: v.object({ clientDataJSON: bytes, attestationObject: bytes }),
});
export type CreatedCredential = v.InferOutput<typeof createdCredential>;

/** The parts of `AuthenticationResponseJSON` that the server reads. */
const usedCredential = v.object({
  ...credential,
  response: v.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    /** Absent for a key that is no passkey: the server refuses it. */
    userHandle: v.optional(v.nullable(bytes)),
  }),
});
export type UsedCredential = v.InferOutput<typeof usedCredential>;

/**
 * All are beyond the specification. A change needs a login session that is at most 15 minutes old: the body of the 403 has
 * `needs: "recent-login"` otherwise.
 */
export const passkeyCalls = defineCalls({
  getPasskeys: {
    method: "POST",
    path: "/api/getPasskeys",
    access: "participant",
    optional: true,
    cached: true,
    body: e.usernameBody,
    response: v.array(passkey),
  },
  startPasskeyAddition: {
    method: "POST",
    path: "/api/startPasskeyAddition",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: v.object({ ...ceremony, options: creationOptions }),
  },
  finishPasskeyAddition: {
    method: "POST",
    path: "/api/finishPasskeyAddition",
    access: "participant",
    optional: true,
    body: v.object({ username: e.username, ...ceremony, name: v.string(), credential: createdCredential }),
    response: passkey,
  },
  removePasskey: {
    method: "POST",
    path: "/api/removePasskey",
    access: "participant",
    optional: true,
    body: v.object({ username: e.username, id: v.string() }),
    response: e.emptyResponse,
  },
  turnPasswordOff: {
    method: "POST",
    path: "/api/turnPasswordOff",
    access: "participant",
    optional: true,
    body: e.usernameBody,
    response: e.emptyResponse,
  },
  startPasskeyLogin: {
    method: "POST",
    path: "/api/startPasskeyLogin",
    access: "public",
    optional: true,
    body: null,
    response: v.object({ ...ceremony, options: requestOptions }),
  },
  finishPasskeyLogin: {
    method: "POST",
    path: "/api/finishPasskeyLogin",
    access: "public",
    optional: true,
    body: v.object({ ...ceremony, credential: usedCredential }),
    /** The AS that is logged in now. */
    response: v.object({ username: v.string() }),
  },
});

/** An authenticator of passkeys without hardware and browser, whose responses a test can forge. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type {
  CreatedCredential,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  UsedCredential,
} from "#contract/call-tables/accounts/passkey-calls.ts";

export interface SoftwarePasskey {
  /** The credential ID, base64url. */
  readonly id: string;
  readonly privateKey: KeyObject;
  /** base64url */
  readonly userHandle: string;
  readonly rpId: string;
}

/** What a response says instead of the truth. */
export interface Forgery {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly id?: string;
  readonly crossOrigin?: boolean;
  /** The private key that signs instead of the passkey's. */
  readonly privateKey?: KeyObject;
  /** The attestation of what is signed, instead of none. */
  readonly attest?: (signed: Buffer) => Attestation;
}

export interface Attestation {
  readonly fmt: string;
  readonly attStmt: ReadonlyMap<string, Cbor>;
}

export const flags = { userPresent: 1, userVerified: 4, attested: 64 } as const;
const verified = flags.userPresent | flags.userVerified;

/** Creates a passkey, and the response of a browser that shows a page of `origin`. */
export function createSoftwarePasskey(
  options: PasskeyCreationOptions,
  origin: string,
  forged: Forgery = {},
): { readonly passkey: SoftwarePasskey; readonly credential: CreatedCredential } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = forged.id ?? randomBytes(32).toString("base64url");
  const idBytes = Buffer.from(id, "base64url");
  const length = Buffer.alloc(2);
  length.writeUInt16BE(idBytes.length);
  const authData = Buffer.concat([
    renderHeader(options.rp.id, verified | flags.attested, forged),
    Buffer.alloc(16),
    length,
    idBytes,
    encodeCbor(toCose(publicKey)),
  ]);
  const clientData = renderClientData("webauthn.create", options.challenge, origin, forged);
  const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
  const { fmt, attStmt } = forged.attest?.(signed) ?? { fmt: "none", attStmt: new Map<string, Cbor>() };
  const attestation = new Map<string, Cbor>([
    ["fmt", fmt],
    ["attStmt", attStmt],
    ["authData", authData],
  ]);
  return {
    passkey: { id, privateKey, userHandle: options.user.id, rpId: options.rp.id },
    credential: {
      id,
      rawId: id,
      type: "public-key",
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: encodeCbor(attestation).toString("base64url"),
      },
    },
  };
}

/** Returns the response of a browser that shows a page of `origin`, to a request to log in. */
export function useSoftwarePasskey(
  { id, privateKey, userHandle, rpId }: SoftwarePasskey,
  options: PasskeyRequestOptions,
  origin: string,
  forged: Forgery = {},
): UsedCredential {
  const clientData = renderClientData("webauthn.get", options.challenge, origin, forged);
  const authData = renderHeader(rpId, verified, forged);
  const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
  const usedId = forged.id ?? id;
  return {
    id: usedId,
    rawId: usedId,
    type: "public-key",
    response: {
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", signed, forged.privateKey ?? privateKey).toString("base64url"),
      userHandle: forged.userHandle === undefined ? userHandle : forged.userHandle,
    },
  };
}

function renderClientData(type: string, challenge: string, origin: string, forged: Forgery): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: forged.type ?? type,
      challenge: forged.challenge ?? challenge,
      origin: forged.origin ?? origin,
      crossOrigin: forged.crossOrigin ?? false,
    }),
  );
}

/** The start of the authenticator data (WebAuthn, 6.1). */
function renderHeader(rpId: string, ownFlags: number, forged: Forgery): Buffer {
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(forged.counter ?? 0);
  return Buffer.concat([
    createHash("sha256")
      .update(forged.rpId ?? rpId)
      .digest(),
    Buffer.from([forged.flags ?? ownFlags]),
    counter,
  ]);
}

/** An ES256 key (RFC 9053). */
function toCose(publicKey: KeyObject): ReadonlyMap<number, Cbor> {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
}

export type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>;

/** The part of RFC 8949 that an authenticator needs. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? encodeHead(1, -1 - value) : encodeHead(0, value);
  if (typeof value === "string")
    return Buffer.concat([encodeHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeHead(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([encodeHead(4, value.length), ...value.map(encodeCbor)]);
  const entries = [...(value as ReadonlyMap<number | string, Cbor>)];
  return Buffer.concat([encodeHead(5, entries.length), ...entries.flat().map(encodeCbor)]);
}

function encodeHead(type: number, count: number): Buffer {
  const first = type << 5;
  if (count < 24) return Buffer.from([first | count]);
  if (count < 256) return Buffer.from([first | 24, count]);
  return Buffer.from([first | 25, count >> 8, count & 255]);
}

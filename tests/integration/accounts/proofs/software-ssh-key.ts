/** SSH keys and signatures made byte by byte (PROTOCOL.sshsig, PROTOCOL.u2f), for what `ssh-keygen` makes with hardware only, or never. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export interface SoftwareSshKey {
  /** In SSH's wire format. */
  readonly publicKey: Buffer;
  /** Signs data as an SSH client does; the result has the algorithm in it. */
  readonly sign: (data: Buffer, options: InnerOptions) => Buffer;
}

interface InnerOptions {
  /** Of RSA. */
  readonly algorithm?: string;
  /** Of security keys: what the authenticator says of its user (1: present, 4: verified). */
  readonly flags?: number;
}

export interface SignatureFields {
  readonly magic: Buffer;
  readonly version: Buffer;
  readonly publicKey: Buffer;
  readonly namespace: Buffer;
  readonly reserved: Buffer;
  readonly hash: Buffer;
  readonly signature: Buffer;
}

export interface SignatureOptions extends InnerOptions {
  readonly namespace: string;
  readonly hash?: string;
  /** Changes the fields after they were signed. */
  readonly change?: (fields: SignatureFields) => Partial<SignatureFields>;
  /** Behind the last field. */
  readonly tail?: Buffer;
}

export const number = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
export const string = (value: Uint8Array | string) => {
  const bytes = Buffer.from(value as string);
  return Buffer.concat([number(bytes.length), bytes]);
};
const hashOf = (algorithm: string, data: Uint8Array | string) => createHash(algorithm).update(data).digest();

/** A positive number without leading zeros, with one where its first bit would be the sign. */
const positive = (bytes: Buffer) => {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(start);
  return string((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits);
};
const decode = (key: KeyObject, name: "x" | "y" | "e" | "n") =>
  Buffer.from(String(key.export({ format: "jwk" })[name]), "base64url");
const signEcdsa = (data: Buffer, key: KeyObject) => {
  const raw = sign("sha256", data, { key, dsaEncoding: "ieee-p1363" });
  return string(Buffer.concat([positive(raw.subarray(0, 32)), positive(raw.subarray(32))]));
};

export function createEd25519Key(): SoftwareSshKey {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const type = string("ssh-ed25519");
  return {
    publicKey: Buffer.concat([type, string(decode(publicKey, "x"))]),
    sign: (data) => Buffer.concat([type, string(sign(null, data, privateKey))]),
  };
}

export function createRsaKey(modulusLength: number): SoftwareSshKey {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength });
  const hashes: Readonly<Record<string, string>> = { "ssh-rsa": "sha1", "rsa-sha2-256": "sha256" };
  return {
    publicKey: Buffer.concat([
      string("ssh-rsa"),
      positive(decode(publicKey, "e")),
      positive(decode(publicKey, "n")),
    ]),
    sign: (data, { algorithm = "rsa-sha2-512" }) =>
      Buffer.concat([string(algorithm), string(sign(hashes[algorithm] ?? "sha512", data, privateKey))]),
  };
}

/** A software authenticator with a key for `application`. */
export function createSecurityKey(kind: "ed25519" | "ecdsa", application = "ssh:"): SoftwareSshKey {
  const type = kind === "ed25519" ? "sk-ssh-ed25519@openssh.com" : "sk-ecdsa-sha2-nistp256@openssh.com";
  const { publicKey, privateKey } =
    kind === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const point =
    kind === "ed25519"
      ? [string(decode(publicKey, "x"))]
      : [
          string("nistp256"),
          string(Buffer.concat([Buffer.of(4), decode(publicKey, "x"), decode(publicKey, "y")])),
        ];
  let counter = 40;
  return {
    publicKey: Buffer.concat([string(type), ...point, string(application)]),
    sign: (data, { flags = 1 }) => {
      const end = Buffer.concat([Buffer.of(flags), number((counter += 1))]);
      const signed = Buffer.concat([hashOf("sha256", application), end, hashOf("sha256", data)]);
      const raw = kind === "ed25519" ? string(sign(null, signed, privateKey)) : signEcdsa(signed, privateKey);
      return Buffer.concat([string(type), raw, end]);
    },
  };
}

/** Signs a text, and renders the armour. */
export function signWithSoftware(key: SoftwareSshKey, text: string, options: SignatureOptions): string {
  const { namespace, hash = "sha512", change = () => ({}), tail = Buffer.alloc(0) } = options;
  const digest = hashOf(["sha1", "sha256", "sha384"].includes(hash) ? hash : "sha512", text);
  const data = Buffer.concat([
    Buffer.from("SSHSIG"),
    string(namespace),
    string(""),
    string(hash),
    string(digest),
  ]);
  const fields: SignatureFields = {
    magic: Buffer.from("SSHSIG"),
    version: number(1),
    publicKey: string(key.publicKey),
    namespace: string(namespace),
    reserved: string(""),
    hash: string(hash),
    signature: string(key.sign(data, options)),
  };
  const changed = { ...fields, ...change(fields) };
  return armour(Buffer.concat([...Object.values(changed), tail]));
}

export function armour(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN SSH SIGNATURE-----", ...lines, "-----END SSH SIGNATURE-----", ""].join("\n");
}

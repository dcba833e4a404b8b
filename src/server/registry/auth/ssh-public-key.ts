/** Reads public keys in SSH's wire format (RFC 4253, section 6.6; RFC 5656; RFC 8709; OpenSSH's PROTOCOL.u2f). */
import { createHash, createPublicKey } from "node:crypto";
import type { AuthProblem } from "#domain/proofs/auth-problems.ts";
import type { SshKey } from "./auth-keys.ts";
import { isUsablePoint } from "./ed25519-point.ts";

/** Says what is wrong with the fields after the type; null for a sound key, `unreadable` for no whole one. */
type CheckFields = (fields: readonly Uint8Array[]) => AuthProblem | "unreadable" | null;

const minRsaBits = 2048;
/** OpenSSL verifies no signature of a longer key. */
const maxRsaBits = 16_384;
/** Few programs make another exponent than 65537. A long one makes every verification slow. */
const maxExponentBytes = 8;
/** OpenSSH begins the application of its keys so. With another one, a web site could ask the authenticator for signatures. */
const applicationStart = "ssh:";

const checks: ReadonlyMap<string, CheckFields> = new Map<string, CheckFields>([
  ["ssh-ed25519", (fields) => accept(fields.length === 1 && isUsablePoint(at(fields, 0)))],
  ["ssh-rsa", checkRsa],
  ["ecdsa-sha2-nistp256", (fields) => accept(fields.length === 2 && isEcdsaPoint(fields, "nistp256"))],
  ["ecdsa-sha2-nistp384", (fields) => accept(fields.length === 2 && isEcdsaPoint(fields, "nistp384"))],
  ["ecdsa-sha2-nistp521", (fields) => accept(fields.length === 2 && isEcdsaPoint(fields, "nistp521"))],
  [
    "sk-ssh-ed25519@openssh.com",
    (fields) => accept(fields.length === 2 && isUsablePoint(at(fields, 0)) && isApplication(at(fields, 1))),
  ],
  [
    "sk-ecdsa-sha2-nistp256@openssh.com",
    (fields) =>
      accept(fields.length === 3 && isEcdsaPoint(fields, "nistp256") && isApplication(at(fields, 2))),
  ],
]);

/** Whether keys of this type are accepted. */
export function isSshKeyType(type: string): boolean {
  return checks.has(type);
}

/** Reads the base64 of a key of an accepted type. */
export function readSshPublicKey(
  type: string,
  base64: string,
): Pick<SshKey, "fingerprint" | "publicKey"> | { readonly problem: AuthProblem } {
  const unreadable = { problem: { code: "unreadable-key", type } } as const;
  const publicKey = Buffer.from(base64, "base64");
  // Otherwise Node.js has skipped characters, or the last one has bits that nothing reads.
  if (publicKey.toString("base64") !== base64) return unreadable;
  const [inner, ...fields] = splitFields(publicKey) ?? [];
  if (inner?.toString("latin1") !== type) return unreadable;
  const problem = checks.get(type)?.(fields) ?? null;
  if (problem === "unreadable") return unreadable;
  if (problem) return { problem };
  const hash = createHash("sha256").update(publicKey).digest("base64").replace(/=$/, "");
  return { fingerprint: `SHA256:${hash}`, publicKey };
}

/** Splits a key into its strings and numbers, each with its length before it; null if the lengths do not fit the whole. */
function splitFields(bytes: Buffer): readonly Buffer[] | null {
  const fields: Buffer[] = [];
  for (let position = 0; position < bytes.length;) {
    if (position + 4 > bytes.length) return null;
    const end = position + 4 + bytes.readUInt32BE(position);
    if (end > bytes.length) return null;
    fields.push(bytes.subarray(position + 4, end));
    position = end;
  }
  return fields;
}

function at(fields: readonly Uint8Array[], index: number): Uint8Array {
  return fields[index] ?? new Uint8Array();
}

function accept(isSound: boolean): "unreadable" | null {
  return isSound ? null : "unreadable";
}

function isApplication(field: Uint8Array): boolean {
  const text = Buffer.from(field).toString("latin1");
  return text.startsWith(applicationStart) && /^[\x21-\x7e]{1,255}$/.test(text);
}

const curves = {
  nistp256: { crv: "P-256", bytes: 32 },
  nistp384: { crv: "P-384", bytes: 48 },
  nistp521: { crv: "P-521", bytes: 66 },
} as const;

/** Whether the first two fields are the name of the curve and an uncompressed point of it (SEC 1, section 2.3.3). */
function isEcdsaPoint(fields: readonly Uint8Array[], curve: keyof typeof curves): boolean {
  const { crv, bytes } = curves[curve];
  const [name, point] = [Buffer.from(at(fields, 0)), Buffer.from(at(fields, 1))];
  if (name.toString("latin1") !== curve || point[0] !== 4 || point.length !== 1 + 2 * bytes) return false;
  const x = point.toString("base64url", 1, 1 + bytes);
  const y = point.toString("base64url", 1 + bytes);
  try {
    createPublicKey({ format: "jwk", key: { kty: "EC", crv, x, y } });
    return true;
  } catch {
    return false;
  }
}

function checkRsa(fields: readonly Uint8Array[]): AuthProblem | "unreadable" | null {
  const [exponent, modulus] = fields.map(readPositiveNumber);
  if (fields.length !== 2 || !exponent || !modulus || !isOdd(exponent) || !isOdd(modulus))
    return "unreadable";
  if (exponent.length > maxExponentBytes || (exponent.length === 1 && exponent[0] === 1)) return "unreadable";
  const bits = modulus.length * 8 - (Math.clz32(modulus[0] ?? 0) - 24);
  if (bits < minRsaBits) return { code: "short-rsa-key", bits };
  if (bits > maxRsaBits) return { code: "long-rsa-key", bits, maxBits: maxRsaBits };
  return null;
}

/** Returns the bytes of a number without leading zeros; null for zero, a negative number and one with needless zeros. */
function readPositiveNumber(field: Uint8Array): Uint8Array | null {
  const [first, second = 0] = field;
  if (first === undefined || first >= 0x80) return null;
  if (first > 0) return field;
  return second >= 0x80 ? field.subarray(1) : null;
}

function isOdd(number: Uint8Array): boolean {
  return ((number.at(-1) ?? 0) & 1) === 1;
}

import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { createFile } from "../system/durable-file.ts";

/** The TLS identity of a program: a self-signed certificate whose fingerprint the other side pins. */
export interface TlsIdentity {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  /** SHA-256 of the certificate, in the form of `parseFingerprint`. */
  readonly fingerprint: string;
}

/** The file of the identity cannot be used. The message tells the operator what to do. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
}

const fileName = "identity.pem";
const lifetimeYears = 10;

/**
 * Reads the identity from a folder, or creates it on the first start (EC P-256, ten years, self-signed).
 *
 * Key and certificate are one file, so that no crash leaves one without the other. The file appears under its name
 * complete: two programs that start at once end with the same identity.
 *
 * @param name the certificate's common name, for display; nothing checks it
 * @throws {IdentityError} if the file has no matching key and certificate, or other users may read it
 */
export async function openIdentity(folder: string, name: string): Promise<TlsIdentity> {
  const path = join(folder, fileName);
  const existing = await readIdentity(path);
  if (existing) return existing;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await createFile(path, await makePem(name));
  const created = await readIdentity(path);
  if (!created) throw new Error(`${path} disappeared right after it was written.`);
  return created;
}

/**
 * Reads the identity from a folder; null if it was not created yet.
 *
 * @throws {IdentityError} as `openIdentity` does
 */
export function findIdentity(folder: string): Promise<TlsIdentity | null> {
  return readIdentity(join(folder, fileName));
}

async function readIdentity(path: string): Promise<TlsIdentity | null> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  await refuseReadableByOthers(path);
  const privateKey = block(text, "PRIVATE KEY");
  const certificate = block(text, "CERTIFICATE");
  if (!privateKey || !certificate || !belongTogether(certificate, privateKey)) {
    throw new IdentityError(
      `${path} does not contain a private key and its certificate. Restore it, or delete it to get a new ` +
        "identity, and then give its fingerprint to the other side again.",
    );
  }
  return { certificate, privateKey, fingerprint: fingerprintOf(certificate) };
}

async function refuseReadableByOthers(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new IdentityError(
    `${path} contains a private key and other users may read it. Run: chmod 600 ${path}`,
  );
}

function belongTogether(certificate: string, privateKey: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(privateKey));
  } catch {
    return false;
  }
}

async function makePem(name: string): Promise<string> {
  const notBeforeDate = new Date();
  const notAfterDate = new Date(notBeforeDate);
  notAfterDate.setUTCFullYear(notAfterDate.getUTCFullYear() + lifetimeYears);
  const made = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate,
    notAfterDate,
  });
  return `${made.private.trim()}\n${made.cert.trim()}\n`;
}

function block(text: string, label: string): string | undefined {
  const end = `-----END ${label}-----`;
  const from = text.indexOf(`-----BEGIN ${label}-----`);
  const to = from === -1 ? -1 : text.indexOf(end, from);
  return to === -1 ? undefined : `${text.slice(from, to + end.length)}\n`;
}

const fingerprintDigits = /^[0-9A-F]{64}$/;

/**
 * The canonical text of a SHA-256 certificate fingerprint: 32 bytes in upper-case hexadecimal with colons between, as
 * `openssl x509 -fingerprint -sha256` prints it. Accepts any case, with or without colons. Null for anything else.
 */
export function parseFingerprint(text: string): string | null {
  const digits = text.trim().replaceAll(":", "").toUpperCase();
  return fingerprintDigits.test(digits) ? (digits.match(/../g) ?? []).join(":") : null;
}

/** The fingerprint of a certificate in PEM. Throws if the text contains none. */
function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256;
}

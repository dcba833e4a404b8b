import { createPrivateKey, randomUUID, X509Certificate } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { generate } from "selfsigned";
import { fingerprintOf } from "./fingerprint.ts";

/** What a program shows of itself in TLS. The other side pins the fingerprint; nobody signs it. */
export interface TlsIdentity {
  /** PEM. */
  readonly certificate: string;
  /** PEM, PKCS #8. */
  readonly privateKey: string;
  /** SHA-256 of the certificate, in the form of `parseFingerprint`. */
  readonly fingerprint: string;
}

const fileName = "identity.pem";
const lifetimeYears = 10;

/**
 * The identity kept in a folder; made there on the first start (EC P-256, ten years, self-signed).
 *
 * Key and certificate are one file, so that no crash leaves one without the other, and the file appears
 * under its name whole: of two programs that start at once, both end with the same identity.
 *
 * @param name the certificate's common name, for people who look at it; nothing checks it
 * @throws where the file holds no matching key and certificate, or others may read it
 */
export async function openIdentity(folder: string, name: string): Promise<TlsIdentity> {
  const path = join(folder, fileName);
  const kept = await readIdentity(path);
  if (kept) return kept;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await putNew(folder, path, await makePem(name));
  const made = await readIdentity(path);
  if (!made) throw new Error(`${path} disappeared right after it was written.`);
  return made;
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
    throw new Error(
      `${path} does not hold a private key and its certificate. Restore it, or delete it to get a new ` +
        "identity, whose fingerprint must then be given to the other side again.",
    );
  }
  return { certificate, privateKey, fingerprint: fingerprintOf(certificate) };
}

async function refuseReadableByOthers(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return;
  throw new Error(`${path} holds a private key and others may read it. Run: chmod 600 ${path}`);
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

/** Writes beside, syncs, then links under the final name, which fails where somebody was quicker. */
async function putNew(folder: string, path: string, text: string): Promise<void> {
  const beside = `${path}.${randomUUID()}.new`;
  const file = await open(beside, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await chmod(beside, 0o600);
  try {
    await link(beside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(beside, { force: true });
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function block(text: string, label: string): string | undefined {
  return new RegExp(`-----BEGIN ${label}-----[\\s\\S]+?-----END ${label}-----\n?`).exec(text)?.[0];
}

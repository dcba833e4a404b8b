/** Keys of the real `ssh-keygen` and `gpg`, and of an authenticator in software, for registries whose networks share them. */
import { execFileSync } from "node:child_process";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeFields, formatSshKey } from "#server/registry/fixtures/ssh-wire.ts";
import type { GeneratedKey } from "../../support/generated-registry.ts";

export interface PoolKey extends GeneratedKey {
  /** As `requestProof` lists it. */
  readonly fingerprint: string;
  /** Objects of the registry besides the maintainer. */
  readonly objects: Readonly<Record<string, string>>;
  /** Signs a line as a participant does. */
  readonly sign: (
    text: string,
    namespace: string,
  ) => { readonly signature: string; readonly public_key?: string };
}

export interface KeyPool extends Disposable {
  readonly keys: readonly PoolKey[];
}

/** Creates the keys in a folder. Ends the agent of `gpg` when it is disposed. */
export function createKeyPool(folder: string): KeyPool {
  const home = join(folder, "gnupg");
  mkdirSync(home, { mode: 0o700 });
  const ssh = (shape: GeneratedKey["shape"], ...options: readonly string[]) =>
    createSshKey(join(folder, options.join("")), shape, options);
  const pgp = (purpose: string) =>
    ["ed25519", "rsa2048"].map((algorithm) => createPgpKey(home, algorithm, purpose));
  return {
    keys: [
      ssh("ssh-ed25519", "-t", "ed25519"),
      ssh("ssh-rsa", "-t", "rsa", "-b", "2048"),
      ssh("ssh-rsa", "-t", "rsa", "-b", "3072"),
      ...["256", "384", "521"].map((bits) => ssh("ecdsa", "-t", "ecdsa", "-b", bits)),
      createSecurityKey("sk-ssh-ed25519@openssh.com"),
      createSecurityKey("sk-ecdsa-sha2-nistp256@openssh.com"),
      ...pgp("listed").map((key) => toFingerprintKey(key)),
      ...pgp("published").map((key) => toKeyCert(key)),
    ],
    [Symbol.dispose]: () => void execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]),
  };
}

function fingerprintOf(auth: string): string {
  const bytes = Buffer.from(auth.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(bytes).digest("base64").replace("=", "")}`;
}

function createSshKey(file: string, shape: GeneratedKey["shape"], options: readonly string[]): PoolKey {
  execFileSync("ssh-keygen", ["-q", ...options, "-N", "", "-C", "", "-f", file]);
  const auth = readFileSync(`${file}.pub`, "utf8").trim();
  return {
    shape,
    auth,
    fingerprint: fingerprintOf(auth),
    objects: {},
    sign: (text, namespace) => ({
      signature: execFileSync("ssh-keygen", ["-Y", "sign", "-n", namespace, "-f", file], {
        input: `${text}\n`,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
      }),
    }),
  };
}

const application = "ssh:";

/** `ssh-keygen` makes such keys only with hardware: PROTOCOL.u2f and PROTOCOL.sshsig of OpenSSH. */
function createSecurityKey(
  type: "sk-ssh-ed25519@openssh.com" | "sk-ecdsa-sha2-nistp256@openssh.com",
): PoolKey {
  const isEd25519 = type.startsWith("sk-ssh");
  const { publicKey, privateKey } = isEd25519
    ? generateKeyPairSync("ed25519")
    : generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const [pointX, pointY] = [Buffer.from(x, "base64url"), Buffer.from(y, "base64url")];
  const fields = isEd25519 ? [pointX] : ["nistp256", Buffer.concat([Buffer.of(4), pointX, pointY])];
  const auth = formatSshKey(type, ...fields, application);

  function signByAuthenticator(message: Buffer): Buffer {
    // The user was present; a counter.
    const state = Buffer.of(1, 0, 0, 0, 7);
    const data = Buffer.concat([hash("sha256", application), state, hash("sha256", message)]);
    if (isEd25519) return Buffer.concat([encodeFields(type, sign(null, data, privateKey)), state]);
    const pair = sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
    const numbers = encodeFields(toNumber(pair.subarray(0, 32)), toNumber(pair.subarray(32)));
    return Buffer.concat([encodeFields(type, numbers), state]);
  }

  return {
    shape: "sk",
    auth,
    fingerprint: fingerprintOf(auth),
    objects: {},
    sign: (text, namespace) => {
      const digest = hash("sha512", `${text}\n`);
      const message = Buffer.concat([Buffer.from("SSHSIG"), encodeFields(namespace, "", "sha512", digest)]);
      const blob = Buffer.concat([
        Buffer.from("SSHSIG"),
        Buffer.of(0, 0, 0, 1),
        encodeFields(
          encodeFields(type, ...fields, application),
          namespace,
          "",
          "sha512",
          signByAuthenticator(message),
        ),
      ]);
      const lines = blob.toString("base64").match(/.{1,70}/g) ?? [];
      return {
        signature: `-----BEGIN SSH SIGNATURE-----\n${lines.join("\n")}\n-----END SSH SIGNATURE-----\n`,
      };
    },
  };
}

function hash(algorithm: string, data: string | Buffer): Buffer {
  return createHash(algorithm).update(data).digest();
}

/** A number in SSH's format: without leading zeros, and with one where it would be negative. */
function toNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = bytes.subarray(first);
  return (digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.alloc(1), digits]);
}

interface PgpKey {
  readonly fingerprint: string;
  readonly armour: string;
  readonly clearSign: (text: string) => string;
}

function createPgpKey(home: string, algorithm: string, purpose: string): PgpKey {
  const gpg = (args: readonly string[], input = "") =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", "--no-tty", ...args], {
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
  const name = `${algorithm}-${purpose}@example.net`;
  gpg(["--passphrase", "", "--quick-generate-key", name, algorithm, "sign", "never"]);
  const [, fingerprint = ""] =
    /^fpr:+([0-9A-F]{40}):/m.exec(gpg(["--with-colons", "--list-keys", name])) ?? [];
  return {
    fingerprint,
    armour: gpg(["--armor", "--export", fingerprint]),
    clearSign: (text) => gpg(["--local-user", fingerprint, "--clearsign"], `${text}\n`),
  };
}

/** The registry has the fingerprint only, so the participant sends the public key too. */
function toFingerprintKey({ fingerprint, armour, clearSign }: PgpKey): PoolKey {
  return {
    shape: "pgp-fingerprint",
    auth: `pgp-fingerprint ${fingerprint}`,
    fingerprint,
    objects: {},
    sign: (text) => ({ signature: clearSign(text), public_key: armour }),
  };
}

function toKeyCert({ fingerprint, armour, clearSign }: PgpKey): PoolKey {
  const name = `PGPKEY-${fingerprint.slice(-8)}`;
  const lines = armour.trim().split("\n");
  const object = `key-cert: ${name}\nmethod: PGP\nfingerpr: ${fingerprint}\n${lines.map((line) => `certif: ${line}\n`).join("")}`;
  return {
    shape: "key-cert",
    auth: name,
    fingerprint,
    objects: { [`key-cert/${name}`]: object },
    sign: (text) => ({ signature: clearSign(text) }),
  };
}

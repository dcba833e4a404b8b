/** The real gpg with a home folder of its own, whose keys have no passphrase. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PgpKey } from "#server/registry/auth/auth-keys.ts";
import { createScratchFolder } from "#tests/support/scratch-folder.ts";

const start = promisify(execFile);

export type Gnupg = Awaited<ReturnType<typeof openGnupg>>;

export interface RunOptions {
  readonly input?: string;
  /** The clock of gpg: "20260119T000000". */
  readonly at?: string;
}

export interface KeyOptions {
  /** "cert", "sign" or "encr" */
  readonly usage?: string;
  /** "never", "seconds=3600" */
  readonly expires?: string;
  readonly args?: readonly string[];
}

/** A day before the clock of the tests' servers. */
const yesterday = "20260119T000000";
/** The clock of the tests' servers. */
const today = "20260120T000000";

export async function openGnupg() {
  await using parts = new AsyncDisposableStack();
  const home = await createScratchFolder((remove) => parts.defer(remove));
  parts.defer(async () => void (await start("gpgconf", ["--homedir", home, "--kill", "all"])));

  async function run(args: readonly string[], { input = "", at = today }: RunOptions = {}): Promise<string> {
    const running = start(
      "gpg",
      ["--homedir", home, "--batch", "--no-tty", "--quiet", "--pinentry-mode", "loopback"]
        .concat("--passphrase", "", "--faked-system-time", `${at}!`)
        .concat(args),
      { encoding: "latin1", maxBuffer: 16 * 1024 * 1024 },
    );
    // A gpg that reads no input closes it.
    running.child.stdin?.on("error", () => undefined).end(input, "latin1");
    return (await running).stdout;
  }

  /** Returns the fingerprints of the primary key and of the subkeys. */
  async function readFingerprints(name: string): Promise<readonly string[]> {
    const listed = await run(["--list-keys", "--with-colons", name]);
    return Array.from(listed.matchAll(/^fpr:+([0-9A-F]+):/gm), ([, fingerprint = ""]) => fingerprint);
  }

  const running = parts.move();
  return {
    run,
    readFingerprints,
    /** Creates a primary key with the user ID `<name@example.net>`, and returns its fingerprint. */
    createKey: async (
      name: string,
      algorithm: string,
      { usage = "sign", expires = "never", args = [] }: KeyOptions = {},
    ): Promise<string> => {
      await run([...args, "--quick-generate-key", `<${name}@example.net>`, algorithm, usage, expires], {
        at: yesterday,
      });
      const [fingerprint = ""] = await readFingerprints(`${name}@example.net`);
      return fingerprint;
    },
    /** Adds a subkey, and returns its fingerprint. */
    addSubkey: async (
      fingerprint: string,
      algorithm: string,
      { usage = "sign", expires = "never" }: Omit<KeyOptions, "args"> = {},
    ): Promise<string> => {
      await run(["--quick-add-key", fingerprint, algorithm, usage, expires], { at: yesterday });
      return (await readFingerprints(fingerprint)).at(-1) ?? "";
    },
    exportKey: (fingerprint: string) =>
      run(["--armor", "--export-options", "export-minimal", "--export", fingerprint]),
    /** Of the key itself, which gpg writes when it creates one. */
    readRevocation: async (fingerprint: string) => {
      const text = await readFile(join(home, "openpgp-revocs.d", `${fingerprint}.rev`), "utf8");
      // A colon keeps its owner from importing it by mistake.
      return text.replace(":-----BEGIN", "-----BEGIN");
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** As `findKeys` returns it for a `pgp-fingerprint`, or for a key-cert object with this armour. */
export function toPgpKey(fingerprint: string, armour: string | null = null): PgpKey {
  const base64 = armour?.match(/\n\n([^]+)\n=/)?.[1];
  return {
    kind: "pgp",
    maintainer: "ADA-MNT",
    type: armour ? `PGPKEY-${fingerprint.slice(-8)}` : "pgp-fingerprint",
    fingerprint,
    publicKey: base64 === undefined ? null : Buffer.from(base64, "base64"),
  };
}

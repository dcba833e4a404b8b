/** Verifies SSH signatures with `ssh-keygen -Y verify` (OpenSSH 8.2 or later). */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSingleFlight } from "#domain/concurrency/single-flight.ts";
import { ProcessError, type ProcessResult, type Run, runProcess } from "#system/processes.ts";

export interface SignedText {
  readonly keyType: string;
  /** In SSH's wire format. */
  readonly publicKey: Uint8Array;
  readonly namespace: string;
  readonly armour: string;
  /** The texts that may have been signed. */
  readonly texts: readonly string[];
}

/** The name of the signer in the file of allowed signers, which is for a single key. */
const signer = "participant";

/** Whether the key has signed one of the texts. Throws `ProcessError` if that cannot be found out. */
export async function isSignedBy(signed: SignedText, run: Run = runProcess): Promise<boolean> {
  const { code } = await runVerify(signed, run);
  return code === 0;
}

/** Runs `ssh-keygen` for each text until one fits. Returns the last result. */
async function runVerify(
  { keyType, publicKey, namespace, armour, texts }: SignedText,
  run: Run,
): Promise<Pick<ProcessResult, "code" | "stderr">> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-proof-"));
  try {
    const [signers, signature] = [join(folder, "signers"), join(folder, "signature")];
    const base64 = Buffer.from(publicKey).toString("base64");
    await writeFile(signers, `${signer} namespaces="${namespace}" ${keyType} ${base64}\n`);
    await writeFile(signature, armour);
    const args = ["-Y", "verify", "-f", signers, "-I", signer, "-n", namespace, "-s", signature];
    let result: ProcessResult | undefined;
    for (const text of texts) {
      result = await run("ssh-keygen", args, { input: text, timeoutMs: 5_000 });
      if (result.code === null) throw new ProcessError("ssh-keygen was ended by a signal");
      if (result.code === 0) break;
    }
    return result ?? { code: null, stderr: "no text" };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A signature of a key that was thrown away. */
const sample: SignedText = {
  keyType: "ssh-ed25519",
  publicKey: Buffer.from("AAAAC3NzaC1lZDI1NTE5AAAAII5j9Yi6nrHYeDdo7ZuC/DQnjffao8m/c1AddzRPhX+Z", "base64"),
  namespace: "peerdeck@example.net",
  armour: `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgjmP1iLqesdh4N2jtm4L8NCeN99
qjyb9zUB13NE+Ff5kAAAAUcGVlcmRlY2tAZXhhbXBsZS5uZXQAAAAAAAAABnNoYTUxMgAA
AFMAAAALc3NoLWVkMjU1MTkAAABAdPUVlprmZI+u8A1UFZwGC7ERffm8YlnC3JyM0A66CO
kU2ERbwbFVCHwHdTk5vBScPMr2wPrQ7SWsS9MbY67oBQ==
-----END SSH SIGNATURE-----
`,
  texts: ["peerdeck\n"],
};

/**
 * Verifies a sample. Returns null if it is accepted, otherwise a line that says why not: the program is missing or older, or its
 * user has no name, which it refuses.
 */
export async function findSshKeygenFault(run: Run = runProcess): Promise<string | null> {
  try {
    const { code, stderr } = await runVerify(sample, run);
    return code === 0 ? null : (stderr.trim().split("\n")[0] ?? "");
  } catch (error) {
    if (error instanceof ProcessError) return error.message;
    throw error;
  }
}

const fault = createSingleFlight(() => findSshKeygenFault(), {
  maxAgeMs: 10 * 60_000,
  now: () => performance.now(),
  sharesFailures: false,
});

/** Whether this machine can verify SSH signatures. It is tried again after ten minutes. */
export function canVerifySsh(): Promise<boolean> {
  return fault.get().then(
    (found) => found === null,
    // A full disk.
    () => false,
  );
}

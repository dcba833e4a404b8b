/** Keys and signatures of the real `ssh-keygen`. */
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { SshKey } from "#server/registry/auth/auth-keys.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const execute = promisify(execFile);

export interface SshKeyFile {
  readonly file: string;
  /** In SSH's wire format. */
  readonly publicKey: Buffer;
}

/** Creates a key without a passphrase. */
export async function createSshKey(
  folder: string,
  name: string,
  options: readonly string[],
): Promise<SshKeyFile> {
  const file = join(folder, name);
  await execute("ssh-keygen", ["-q", "-N", "", "-C", name, "-f", file, ...options]);
  const [, base64 = ""] = (await readFile(`${file}.pub`, "utf8")).split(" ");
  return { file, publicKey: Buffer.from(base64, "base64") };
}

/** Signs a text from standard input, as participants do. With an agent, only the public key's file is read. */
export async function signWithFile(
  input: string,
  {
    file,
    namespace,
    agent = "",
  }: { readonly file: string; readonly namespace: string; readonly agent?: string },
): Promise<string> {
  const args = ["-Y", "sign", "-n", namespace, "-f", file];
  const child = spawn("ssh-keygen", args, {
    env: { PATH: process.env["PATH"], ...(agent !== "" && { SSH_AUTH_SOCK: agent }) },
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.end(input);
  const [output] = await Promise.all([child.stdout.toArray(), once(child, "exit")]);
  return output.join("");
}

/** Starts an agent with keys, and returns its socket. */
export async function startSshAgent(
  folder: string,
  files: readonly string[],
): Promise<AsyncDisposable & { readonly socket: string }> {
  const socket = join(folder, "agent");
  const child = spawn("ssh-agent", ["-D", "-a", socket], { stdio: "ignore" });
  const env = { PATH: process.env["PATH"], SSH_AUTH_SOCK: socket };
  // It rejects until the agent listens.
  await waitFor(() => execute("ssh-add", ["-q", ...files], { env }));
  return {
    socket,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** A public key as the registry's reader returns it. */
export function toSshKey(publicKey: Buffer, maintainer: string): SshKey {
  const fingerprint = `SHA256:${createHash("sha256").update(publicKey).digest("base64").replace("=", "")}`;
  const type = publicKey.toString("latin1", 4, 4 + publicKey.readUInt32BE());
  return { kind: "ssh", maintainer, type, fingerprint, publicKey };
}

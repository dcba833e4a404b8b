import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";

let prefix: readonly string[] | null | undefined;

/** Returns what to put before a command that needs root, without a password; null if that is impossible. */
export function rootCommandPrefix(): readonly string[] | null {
  prefix ??= findPrefix();
  return prefix;
}

function findPrefix(): readonly string[] | null {
  if (process.getuid?.() === 0) return [];
  const sudo = spawnSync("sudo", ["-n", "true"], { stdio: "ignore" });
  return sudo.status === 0 ? ["sudo", "-n"] : null;
}

/** Returns the command that runs a program as root. Throws if that needs a password. */
export function asRoot(program: string, ...args: readonly string[]): readonly [string, ...string[]] {
  const found = rootCommandPrefix();
  if (found === null)
    throw new Error("These tests boot a machine, which needs root or sudo without a password.");
  const [first = program, ...rest] = [...found, program, ...args];
  return [first, ...rest];
}

/** Runs a program as root; rejects if it fails. */
export async function runAsRoot(program: string, ...args: readonly string[]): Promise<void> {
  const [file, ...rest] = asRoot(program, ...args);
  await promisify(execFile)(file, rest, { maxBuffer: 16 * 1024 * 1024 });
}

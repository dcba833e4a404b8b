/**
 * Reads and writes tar archives with the system's program `tar`, which never writes a file by itself: it reads and writes
 * the streams that it is given, so names and links in an archive cannot lead anywhere.
 */
import { spawn } from "node:child_process";
import { type FileHandle, open } from "node:fs/promises";

/** A backup has four names. */
const maxListBytes = 10_000;

/** `tar` is missing or failed. The message contains its reason. */
export class TarError extends Error {
  override readonly name = "TarError";
}

/** Writes files of one folder into a new archive, which only its owner may access, and syncs it. */
export async function writeTar(archive: string, folder: string, names: readonly string[]): Promise<void> {
  await using file = await open(archive, "wx", 0o600);
  await runTar(["-cf", "-", "-C", folder, "--", ...names], null, file);
  await file.sync();
}

/** Returns the names of all entries. Throws `TarError` if the file is no complete archive or has too many entries. */
export async function listTar(archive: string): Promise<readonly string[]> {
  await using file = await open(archive, "r");
  const listed = await runTar(["-tf", "-"], file, null);
  return listed.split("\n").filter((name) => name !== "");
}

/** Writes the content of an entry to a new file, which only its owner may access, and syncs it. A link is empty. */
export async function extractFromTar(archive: string, name: string, target: string): Promise<void> {
  await using file = await open(archive, "r");
  await using to = await open(target, "wx", 0o600);
  await runTar(["-xOf", "-", "--", name], file, to);
  await to.sync();
}

/** Returns what `tar` printed, unless it went to a file. */
function runTar(args: readonly string[], from: FileHandle | null, to: FileHandle | null): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn("tar", args, {
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
    stdio: [from?.fd ?? "ignore", to?.fd ?? "pipe", "pipe"],
  });
  let printed = "";
  let reason = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
    if (printed.length > maxListBytes) child.kill("SIGKILL");
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    reason = (reason + chunk.toString()).slice(0, 500);
  });
  child.once("error", ({ message }) => reject(new TarError(`tar cannot be started: ${message}`)));
  child.once("close", (code) => {
    if (code === 0) resolve(printed);
    else if (printed.length > maxListBytes) reject(new TarError("it has too many entries"));
    else reject(new TarError(reason.trim().split("\n")[0] ?? `tar ended with ${code}`));
  });
  return promise;
}

/** Writes, lists and extracts compressed tar archives with the system's program `tar`. */
import { resolve } from "node:path";
import { ProcessError, runProcess } from "../../system/processes.ts";
import { syncPath } from "../../system/durable-file.ts";
import { createPrivateFile } from "../db/sqlite/database-file.ts";

/** A backup has four names. */
const maxListBytes = 10_000;

/** `tar` or `gzip` is missing or failed. The message contains its reason. */
export class TarError extends Error {
  override readonly name = "TarError";
}

/** Writes files of one folder into a new archive, which only its owner may access, and syncs it. */
export async function writeTar(archive: string, folder: string, names: readonly string[]): Promise<void> {
  await createPrivateFile(archive);
  await runTar("--create", archive, [`--directory=${folder}`, "--", ...names]);
  await syncPath(archive);
}

/** Returns the names of all entries. Throws `TarError` if a byte of the archive is missing or has changed. */
export async function listTar(archive: string): Promise<readonly string[]> {
  const listed = await runTar("--list", archive);
  return listed.split("\n").filter((name) => name !== "");
}

/** Extracts the entries with these names into an empty folder. An entry may be a link or anything else than a file. */
export async function extractTar(archive: string, folder: string, names: readonly string[]): Promise<void> {
  const modest = ["--no-same-owner", "--no-same-permissions", "--keep-old-files"];
  await runTar("--extract", archive, [`--directory=${folder}`, ...modest, "--", ...names]);
}

/** Returns what `tar` printed. */
async function runTar(action: string, archive: string, args: readonly string[] = []): Promise<string> {
  // `tar` takes a relative path with a colon for a file on another host.
  const file = `--file=${resolve(archive)}`;
  const { code, stdout, stderr, isTruncated } = await runProcess("tar", [action, "--gzip", file, ...args], {
    cwd: process.cwd(),
    // Without TAR_OPTIONS.
    environment: { PATH: process.env["PATH"], LC_ALL: "C" },
    timeoutMs: null,
    outputLimitBytes: maxListBytes,
  }).catch((error: unknown) => {
    throw error instanceof ProcessError ? new TarError(error.message, { cause: error }) : error;
  });
  if (code !== 0) {
    // The line of gzip says what is wrong, and `tar` may print others before it.
    const [reason] = /gzip: .+/.exec(stderr) ?? /.+/.exec(stderr) ?? [`tar ended with ${code}`];
    throw new TarError(reason);
  }
  if (isTruncated) throw new TarError("it has too many entries");
  return stdout;
}

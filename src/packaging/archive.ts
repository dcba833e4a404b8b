/** Archives of files. The same files and time give the same bytes. */
import { runOk, runProcess } from "../system/processes.ts";

const timeoutMs = 300_000;
/** Without `TAR_OPTIONS` and `GZIP`. */
const environment = { PATH: process.env["PATH"], LC_ALL: "C" };

/**
 * Writes files and folders into a tar archive with GNU tar. All belong to root and have the same time.
 *
 * @param names their paths in the folder, and in the archive
 */
export async function writeArchive(
  target: string,
  {
    folder,
    names,
    seconds,
  }: { readonly folder: string; readonly names: readonly string[]; readonly seconds: number },
): Promise<void> {
  const owner = ["--owner=root:0", "--group=root:0", "--mode=u+rw,go+r,go-w"];
  const order = ["--format=gnu", "--sort=name", `--mtime=@${seconds}`];
  await runOk(
    runProcess,
    "tar",
    ["--create", `--file=${target}`, `--directory=${folder}`, ...owner, ...order, "--", ...names],
    { timeoutMs, environment },
  );
}

/** Replaces a file by a compressed one, and returns its path. */
export async function compress(file: string): Promise<string> {
  await runOk(runProcess, "gzip", ["--no-name", "--force", file], { timeoutMs, environment });
  return `${file}.gz`;
}

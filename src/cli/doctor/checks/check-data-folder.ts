import { access, constants, stat, statfs } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { finding, type Finding } from "../sentences/sentences.ts";
import type { Check } from "../doctor-context.ts";

/** A migration copies the database, and the registry's clone takes two of its versions. */
const neededMb = 500;
const bytesPerMb = 1024 * 1024;
const stickyBit = 0o1000;

export const checkDataFolder: Check = {
  name: "DATA_DIR",
  run: async ({ environment: { dataDir: path } }) => [
    ...(isAbsolute(path) ? [] : [finding("data-relative", { path })]),
    ...(await checkFolder(path)),
  ],
};

async function checkFolder(path: string): Promise<readonly Finding[]> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    if (stats.code === "ENOENT") return [finding("data-missing", { path })];
    return [finding("data-unwritable", { path, reason: stats.code ?? stats.message })];
  }
  if (!stats.isDirectory()) return [finding("data-no-folder", { path })];
  const user = process.geteuid?.() ?? stats.uid;
  if ((stats.mode & stickyBit) !== 0) return [finding("data-shared", { path })];
  if (stats.uid !== user) return [finding("data-owner", { path, owner: stats.uid, user })];
  const problems: Finding[] = [];
  if ((stats.mode & 0o077) !== 0)
    problems.push(finding("data-open", { path, mode: (stats.mode & 0o777).toString(8) }));
  const refusal = await access(path, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
  if (refusal !== null) problems.push(finding("data-unwritable", { path, reason: refusal }));
  const { bavail, bsize } = await statfs(path);
  const freeMb = Math.floor((bavail * bsize) / bytesPerMb);
  if (freeMb < neededMb) problems.push(finding("data-space", { path, freeMb, neededMb }));
  return problems.length > 0 ? problems : [finding("data-ok", { path, freeMb })];
}

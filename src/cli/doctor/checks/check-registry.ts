import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Profile } from "#server/config/profile.ts";
import { readCloneState } from "#server/registry/clone/clone-state.ts";
import { GitError, runGit } from "#server/registry/clone/git.ts";
import { allowLocalRemote } from "#server/registry/clone/local-remote.ts";
import { createFolderSource } from "#server/registry/registry-source.ts";
import { ProcessTimeoutError } from "#system/processes.ts";
import { finding, type Finding } from "../sentences/sentences.ts";
import { callLimitMs, type Check } from "../doctor-context.ts";

const hourMs = 3_600_000;
const warningHours = 24;

export const checkRegistry: Check = {
  name: "the registry",
  run: async ({ profile, environment }) => {
    if (!profile) return [];
    const { from, maxAgeDays } = profile.registry;
    if ("path" in from) return [await checkClone(from.path, maxAgeDays)];
    const fault = await findRemoteFault(from.url);
    return fault ? [fault] : checkServersClone(join(environment.dataDir, "registry"), maxAgeDays);
  },
};

async function checkClone(path: string, maxAgeDays: number): Promise<Finding> {
  const names = await readdir(join(path, "data", "aut-num")).catch(() => []);
  if (!names.some((name) => name.startsWith("AS"))) return finding("registry-empty", { path });
  const location = await createFolderSource(path).locate();
  return describeAge(location?.fetchedAt ?? null, maxAgeDays);
}

async function checkServersClone(folder: string, maxAgeDays: number): Promise<readonly Finding[]> {
  const { fetchedAt, problem, isRejected } = await readCloneState(folder);
  if (isRejected && problem !== null) return [finding("registry-rejected", { reason: problem, folder })];
  return [fetchedAt === null ? finding("registry-new") : describeAge(fetchedAt, maxAgeDays)];
}

/** @param fetchedAt null for a folder without a history, which has no age */
function describeAge(fetchedAt: number | null, maxAgeDays: Profile["registry"]["maxAgeDays"]): Finding {
  if (fetchedAt === null) return finding("registry-ok", { ageHours: null });
  const ageHours = Math.max(0, Math.floor((Date.now() - fetchedAt) / hourMs));
  if (ageHours > maxAgeDays * 24) return finding("registry-outdated", { ageHours, maxAgeDays });
  return finding(ageHours > warningHours ? "registry-old" : "registry-ok", { ageHours });
}

type RemoteFault =
  | "registry-refused"
  | "registry-host"
  | "registry-host-key"
  | "registry-login"
  | "registry-no-repository";

/** What git, curl and ssh write. The first match counts. */
const faults: ReadonlyArray<readonly [RegExp, RemoteFault]> = [
  [/could not resolve host|unable to look up/i, "registry-host"],
  [/unable to connect|failed to connect|connection refused/i, "registry-refused"],
  [/host key verification failed/i, "registry-host-key"],
  [
    /authentication failed|could not read (?:username|password)|permission denied|\b40[13]\b/i,
    "registry-login",
  ],
  [/not found|does not appear to be a git repository|does not exist|\b404\b/i, "registry-no-repository"],
];

/** Asks the remote for its branch, as a fetch does; null if it responds. */
async function findRemoteFault(url: string): Promise<Finding | null> {
  const folder = await mkdtemp(join(tmpdir(), "peerdeck-doctor-"));
  try {
    const environment = await allowLocalRemote(url, folder);
    const branch = await runGit(["ls-remote", "--", url, "HEAD"], {
      cwd: "/",
      timeoutMs: callLimitMs,
      environment,
    });
    return branch.trim() === "" ? finding("registry-no-repository", { url }) : null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { message, exitCode, output } = error;
    if (exitCode === null)
      return error.cause instanceof ProcessTimeoutError
        ? finding("registry-timeout", { url })
        : finding("git-missing");
    const fault = faults.find(([pattern]) => pattern.test(output))?.[1];
    return fault ? finding(fault, { url }) : finding("registry-failed", { url, reason: message });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

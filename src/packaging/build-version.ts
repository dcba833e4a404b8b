import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { runProcess } from "../system/processes.ts";
import { root } from "./bundle.ts";

export interface BuildVersion {
  /** Like `1.0.0+20261124.024500`: the release with the time in UTC. Each commit's replaces those of earlier commits. */
  readonly version: string;
  /** What the files of an artefact have as their time, in seconds since 1970. */
  readonly seconds: number;
}

/**
 * Returns the version of what is built here. Its time is that of the commit, so that the same commit gives the same bytes: times
 * rise in all copies of the repository, numbers of commits do not. With changes that are not committed, or without a repository,
 * it is the present time. `SOURCE_DATE_EPOCH` takes precedence (reproducible-builds.org).
 */
export async function readBuildVersion(): Promise<BuildVersion> {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const given = /^\d+$/.exec(process.env["SOURCE_DATE_EPOCH"] ?? "")?.[0];
  const seconds = Number(given ?? (await readCommitTime()) ?? Math.floor(Date.now() / 1000));
  const digits = new Date(seconds * 1000).toISOString().replaceAll(/\D/g, "");
  return { version: `${manifest.version}+${digits.slice(0, 8)}.${digits.slice(8, 14)}`, seconds };
}

/** Returns the time of the commit that is checked out, or null if the files are others. */
async function readCommitTime(): Promise<string | null> {
  const state = await readGit("status", "--porcelain");
  return state === "" ? readGit("log", "-1", "--format=%ct") : null;
}

/** Returns what git prints of this checkout, or null without a repository or git. */
async function readGit(...args: readonly string[]): Promise<string | null> {
  // Root may build the checkout of another user.
  const place = ["-c", `safe.directory=${root}`, "--git-dir", join(root, ".git"), "--work-tree", root];
  const { code, stdout } = await runProcess("git", [...place, ...args], { cwd: root }).catch(() => ({
    code: null,
    stdout: "",
  }));
  return code === 0 ? stdout.trim() : null;
}

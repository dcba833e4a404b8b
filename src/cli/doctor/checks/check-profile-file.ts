import { stat } from "node:fs/promises";
import { ConfigError } from "#system/config/config-error.ts";
import type { Profile } from "#server/config/profile.ts";
import { readProfile } from "#server/config/profile-file.ts";
import { finding, type Finding } from "../sentences/sentences.ts";

export interface CheckedProfile {
  readonly findings: readonly Finding[];
  /** Null if the file is not valid. It may lack what only a server needs. */
  readonly profile: Profile | null;
}

/** Checks the provider profile, which the other checks need. */
export async function checkProfileFile(path: string | null): Promise<CheckedProfile> {
  if (path === null)
    return { findings: [finding("profile-unset"), finding("profile-needed")], profile: null };
  const problems = await readProfile(path, { isForServer: true }).then(
    () => [],
    (error: unknown) => toLines(error),
  );
  const profile = await readProfile(path).catch(() => null);
  const mode = await stat(path).then(
    (stats) => stats.mode,
    () => 0,
  );
  return {
    profile,
    findings: [
      ...problems.map((text) => finding("profile-problem", { text })),
      ...(problems.length === 0 && profile ? [finding("profile-ok", { path })] : []),
      ...((mode & 0o007) === 0 ? [] : [finding("profile-open", { path })]),
      ...(profile ? [] : [finding("profile-needed")]),
    ],
  };
}

function toLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.message.split("\n");
  throw error;
}

/** The answers so far, in the form of the profile's TOML. */
import * as v from "valibot";
import { readOutline } from "#server/config/profile-outline.ts";
import { findRegistryProblem, readAuthority, resolveFrom } from "#server/config/profile-paths.ts";
import { findConflicts } from "#server/config/profile-rules.ts";
import { profileFile } from "#server/config/profile-schema.ts";
import { type ConfigProblem, describeIssues } from "#system/config/config-problems.ts";
import type { TomlPath } from "#system/config/toml-lines.ts";

export type Draft = Record<string, unknown>;

export function readValue(draft: Draft, path: TomlPath): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      value === undefined || value === null ? undefined : (value as Record<string | number, unknown>)[key],
    draft,
  );
}

/** Sets a value; undefined removes it. Creates the tables and lists on the way. */
export function setValue(draft: Draft, path: TomlPath, value: unknown): void {
  let table = draft as Record<string | number, unknown>;
  for (const [index, key] of path.slice(0, -1).entries()) {
    table[key] ??= typeof path[index + 1] === "number" ? [] : {};
    table = table[key] as Record<string | number, unknown>;
  }
  const last = path.at(-1) ?? "";
  if (value === undefined) delete table[last];
  else table[last] = value;
}

/** Finds what is wrong and what is missing in a draft, as a server would at its start. */
export async function findDraftProblems(
  draft: Draft,
  profilePath: string,
): Promise<readonly ConfigProblem[]> {
  const issues = v.safeParse(profileFile, draft).issues ?? [];
  const outline = readOutline(draft);
  const { registry: { path: clone } = {}, mail: { ca: caFile } = {} } = outline;
  const ofClone =
    typeof clone === "string" ? await findRegistryProblem(resolveFrom(profilePath, clone)) : null;
  const ca = caFile === undefined ? null : await readAuthority(resolveFrom(profilePath, caFile));
  return [
    ...describeIssues(profileFile, issues, ["mail.url"]),
    ...findConflicts(outline),
    ...(ofClone ? [ofClone] : []),
    ...(ca === null || typeof ca === "string" ? [] : [ca]),
  ];
}

/** Returns the first problem of the value at a path. */
export async function findProblemAt(
  draft: Draft,
  path: TomlPath,
  profilePath: string,
): Promise<ConfigProblem | undefined> {
  const problems = await findDraftProblems(draft, profilePath);
  return problems.find((problem) => path.every((key, index) => problem.path[index] === key));
}

import { stat } from "node:fs/promises";
import { join } from "node:path";

export interface RegistryLocation {
  /** The folder that contains `data/`. */
  readonly path: string;
  /** Whether the files in it never change; otherwise the operator may change them at any time. */
  readonly isImmutable: boolean;
  /** When the last fetch succeeded, in milliseconds since 1970; null for a folder that is not a clone. */
  readonly fetchedAt: number | null;
}

/** Where the registry's files are. */
export interface RegistrySource {
  /** Returns the files in use; null if there are none, or if their clone is missing. */
  locate(): Promise<RegistryLocation | null>;
  /**
   * Tries to fetch for a short time, unless it has just been tried. Returns whether the files are new enough for password
   * resets; always true if the server does not fetch them.
   */
  refresh(): Promise<boolean>;
}

/** A clone that the operator keeps current, or a folder without a history, such as the demo's sample. */
export function createFolderSource(path: string): RegistrySource {
  return {
    locate: async () => ({ path, isImmutable: false, fetchedAt: await readFetchTime(join(path, ".git")) }),
    refresh: async () => true,
  };
}

/**
 * Git empties FETCH_HEAD when a fetch fails. Then the last change of the branch is the last fetch that certainly
 * succeeded.
 */
async function readFetchTime(gitPath: string): Promise<number | null> {
  const [fetchHead, branchLog, head] = await Promise.all(
    ["FETCH_HEAD", "logs/HEAD", "HEAD"].map((name) => stat(join(gitPath, name)).catch(() => null)),
  );
  if (!head) return null;
  if (fetchHead && fetchHead.size > 0) return fetchHead.mtimeMs;
  return (branchLog ?? head).mtimeMs;
}

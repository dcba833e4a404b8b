/**
 * The state of the registry clone, in one file: which files are in use, and when the last fetch succeeded. Replacing
 * the file switches both at once, so readers see either the old registry or the new one.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { replaceFile } from "#system/durable-file.ts";

const cloneState = v.object({
  /** The commit in use; null before the first one. */
  commit: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/))),
  /** The name of the folder with the commit's files; null before the first one. */
  files: v.nullable(v.pipe(v.string(), v.regex(/^files-[0-9a-f-]+$/))),
  /** When the remote last had this commit or a later one; milliseconds since 1970, as the next. */
  fetchedAt: v.nullable(v.number()),
  /** When the last attempt ended. */
  attemptedAt: v.nullable(v.number()),
  /** Why the last attempt changed nothing; null if it succeeded. */
  problem: v.nullable(v.string()),
  /** Whether the problem is that the fetched history was not accepted, so that the operator must decide. */
  isRejected: v.boolean(),
});

export type CloneState = Readonly<v.InferOutput<typeof cloneState>>;

const emptyState: CloneState = {
  commit: null,
  files: null,
  fetchedAt: null,
  attemptedAt: null,
  problem: null,
  isRejected: false,
};

const fileName = "state.json";

/** Reads the state; an empty one if there is none, or if the file is not readable as one. */
export async function readCloneState(folder: string): Promise<CloneState> {
  try {
    return v.parse(cloneState, JSON.parse(await readFile(join(folder, fileName), "utf8")));
  } catch {
    return emptyState;
  }
}

/** Replaces the state atomically; it survives a power cut. */
export async function writeCloneState(folder: string, state: CloneState): Promise<void> {
  await replaceFile(join(folder, fileName), `${JSON.stringify(state)}\n`);
}

/** The answers of an interrupted setup, in a file beside the profile that only the operator can read. */
import { readFile, rm } from "node:fs/promises";
import { replaceFile } from "#system/durable-file.ts";
import type { Draft } from "./draft.ts";

export function draftPath(profilePath: string): string {
  return `${profilePath}.draft`;
}

/** Returns the stored answers; null if there are none. */
export async function readDraft(profilePath: string): Promise<Draft | null> {
  try {
    const draft = JSON.parse(await readFile(draftPath(profilePath), "utf8")) as unknown;
    return typeof draft === "object" && draft !== null && !Array.isArray(draft) ? (draft as Draft) : null;
  } catch {
    return null;
  }
}

export async function saveDraft(profilePath: string, draft: Draft): Promise<void> {
  await replaceFile(draftPath(profilePath), `${JSON.stringify(draft)}\n`);
}

export async function discardDraft(profilePath: string): Promise<void> {
  await rm(draftPath(profilePath), { force: true });
}

/**
 * Half-written forms. They stand in memory beside the cache of server state, where a screen reads them at once, and
 * on the device, where they outlive a reload and a crash. Both are one person's: a session that ran out leaves them,
 * a logout and somebody else's sign-in do not.
 */
import type { QueryClient } from "@tanstack/react-query";
import { dropDraft as drop, type DraftName, keepDraft, readDraft as readKept } from "../../device/drafts.ts";

export interface DraftOf {
  readonly username: string;
  readonly name: DraftName;
}

const subject = "draft";

function keyOf({ username, name }: DraftOf): readonly string[] {
  return [subject, username, ...name];
}

/** As it was written or parsed last; undefined where there is none. */
export function readDraft(client: QueryClient, of: DraftOf): unknown {
  return client.getQueryData(keyOf(of));
}

/** Kept from now on, until it is dropped. */
export function writeDraft(client: QueryClient, of: DraftOf, draft: unknown): void {
  remember(client, of, draft);
  void keepDraft(of.username, of.name, draft);
}

/** @param which of what stands in memory and on the device, which may differ, only that goes for which this holds. */
export function dropDraft(
  client: QueryClient,
  of: DraftOf,
  which: (draft: unknown) => boolean = () => true,
): void {
  if (which(readDraft(client, of))) client.removeQueries({ queryKey: keyOf(of), exact: true });
  void drop(of.username, of.name, which);
}

/**
 * Brings a draft of an earlier visit back into memory; for a route's loader. What `parse` does not know (null),
 * because another version wrote it, is left out.
 */
export async function loadDraft(
  client: QueryClient,
  of: DraftOf,
  parse: (kept: unknown) => unknown,
): Promise<void> {
  if (readDraft(client, of) !== undefined) return;
  const draft = parse(await readKept(of.username, of.name));
  if (draft !== null) remember(client, of, draft);
}

function remember(client: QueryClient, of: DraftOf, draft: unknown): void {
  client.setQueryDefaults([subject], { gcTime: Infinity });
  client.setQueryData(keyOf(of), draft);
}

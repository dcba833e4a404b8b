/**
 * Unsubmitted forms. Memory holds them for screens, which read them synchronously; the device holds them across reloads
 * and crashes. They belong to one AS: they outlive an expired login session, but neither a logout nor the login of
 * another AS.
 */
import type { QueryClient } from "@tanstack/react-query";
import {
  deleteStoredDraft,
  type DraftName,
  readStoredDraft,
  saveStoredDraft,
} from "../../browser-storage/stored-drafts.ts";
import { createAccountStore } from "./store.ts";

export interface DraftKey {
  readonly username: string;
  readonly name: DraftName;
}

/** For each AS, by the JSON of the draft's name. */
const drafts = createAccountStore<ReadonlyMap<string, unknown>>();

/** As last written or parsed; undefined if there is none. */
export function readDraft(client: QueryClient, { username, name }: DraftKey): unknown {
  return drafts(client).get().get(username)?.get(JSON.stringify(name));
}

/** @param stored what the device holds of the content. All of it unless given. */
export function writeDraft(client: QueryClient, key: DraftKey, content: unknown, stored = content): void {
  setDraft(client, key, content);
  void saveStoredDraft(key.username, key.name, stored);
}

/**
 * Removes the draft in memory and the one on the device, each only if it matches: another tab may have changed the
 * stored one.
 *
 * @param matches receives undefined where there is no draft. Every draft matches unless given.
 */
export function deleteDraft(
  client: QueryClient,
  key: DraftKey,
  matches: (draft: unknown) => boolean = () => true,
): void {
  if (matches(readDraft(client, key))) setDraft(client, key, undefined);
  void deleteStoredDraft(key.username, key.name, matches);
}

/**
 * Loads a stored draft into memory; for a route's loader.
 *
 * @param parse returns null for a draft that another version of the app wrote and this one cannot read.
 */
export async function loadDraft(
  client: QueryClient,
  key: DraftKey,
  parse: (stored: unknown) => unknown,
): Promise<void> {
  if (readDraft(client, key) !== undefined) return;
  const draft = parse(await readStoredDraft(key.username, key.name));
  if (draft !== null) setDraft(client, key, draft);
}

function setDraft(client: QueryClient, { username, name }: DraftKey, content: unknown): void {
  const store = drafts(client);
  const own = new Map(store.get().get(username)).set(JSON.stringify(name), content);
  store.set(new Map(store.get()).set(username, own));
}

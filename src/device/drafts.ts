/** What a person has half written, JSON-like, per AS. */
import { asOwner } from "./owner.ts";
import { transact, valueAt } from "./store.ts";

/** A form: `["peering", "edit", "syd01"]`. */
export type DraftName = readonly string[];

/** Kept only for who is signed in: a form that outlives the logout for a moment must not write again. */
export function keepDraft(username: string, name: DraftName, draft: unknown): Promise<void> {
  return asOwner(username, undefined, (store) => void store.put(draft, ["draft", username, ...name]));
}

/** @param which it goes only where this holds for it; what was never kept is undefined. */
export function dropDraft(
  username: string,
  name: DraftName,
  which: (draft: unknown) => boolean,
): Promise<void> {
  const key = ["draft", username, ...name];
  return transact("readwrite", undefined, async (store) => {
    if (which(await valueAt(store, key))) store.delete(key);
  });
}

/** As it was put; undefined where there is none. What was written by another version is for the caller to check. */
export function readDraft(username: string, name: DraftName): Promise<unknown> {
  return transact<unknown>("readonly", undefined, (store) => valueAt(store, ["draft", username, ...name]));
}

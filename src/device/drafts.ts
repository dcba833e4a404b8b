/** What a person has half written, JSON-like, per AS. */
import { asOwner } from "./owner.ts";
import { transact, valueAt } from "./store.ts";

/** A form: `["peering", "edit", "syd01"]`. */
export type DraftName = readonly string[];

/** Kept only for who is signed in: a form that outlives the logout for a moment must not write again. */
export function keepDraft(username: string, name: DraftName, draft: unknown): Promise<void> {
  return asOwner(username, undefined, (store) => void store.put(draft, ["draft", username, ...name]));
}

export function dropDraft(username: string, name: DraftName): Promise<void> {
  return transact("readwrite", undefined, (store) => void store.delete(["draft", username, ...name]));
}

/** As it was put; undefined where there is none. What was written by another version is for the caller to check. */
export function readDraft(username: string, name: DraftName): Promise<unknown> {
  return transact<unknown>("readonly", undefined, (store) => valueAt(store, ["draft", username, ...name]));
}

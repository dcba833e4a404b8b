/** Unsubmitted forms, as structured data, by AS. */
import { getValue, transact } from "./database.ts";
import { transactAsOwner } from "./owner.ts";

/** Identifies a form, for example `["peering", "edit", "syd01"]`. Persisted name. */
export type DraftName = readonly string[];

/** Persisted name. */
const keyOf = (username: string, name: DraftName) => ["draft", username, ...name];

/** Does nothing if the AS is not logged in: a form may still be open for a moment after the logout. */
export function saveStoredDraft(username: string, name: DraftName, draft: unknown): Promise<void> {
  return transactAsOwner(username, undefined, (store) => void store.put(draft, keyOf(username, name)));
}

/** @param matches the draft is deleted only if this returns true; receives undefined where there is none. */
export function deleteStoredDraft(
  username: string,
  name: DraftName,
  matches: (draft: unknown) => boolean,
): Promise<void> {
  return transact("readwrite", undefined, async (store) => {
    const key = keyOf(username, name);
    if (matches(await getValue(store, key))) store.delete(key);
  });
}

/** As it was saved; undefined if there is none. The caller validates it: another version may have written it. */
export function readStoredDraft(username: string, name: DraftName): Promise<unknown> {
  return transact<unknown>("readonly", undefined, (store) => getValue(store, keyOf(username, name)));
}

/**
 * Whose device this is at the moment, and what has to go when that changes.
 *
 * Keys: `owner` names the AS that is signed in; what begins with `own` is that AS's; `draft` and then an AS number
 * is something half written, `wish` and then an AS number what they want of this device; `owes-logout` a logout that
 * the server has not heard of; `logout-settled` when it heard of the last one; `public` is anybody's.
 *
 * Invariants:
 * - What begins with `own` is written only while `owner` names the person that it belongs to. Check and write are
 *   one transaction, so an answer that comes after the logout is not kept.
 * - `owner` changes in the same transaction that removes what was the former's.
 * - Nobody becomes the owner by what the server was asked before it heard of a logout.
 */
import { startingWith, transact, valueAt } from "./store.ts";

const owner = "owner";
const owesLogout = "owes-logout";
const logoutSettled = "logout-settled";
/** An AS number follows in their keys. */
const outliveSession = ["draft", "wish"] as const;

/** The AS number that was signed in last and was not signed out since; undefined: nobody. */
export function readOwner(): Promise<string | undefined> {
  return transact("readonly", undefined, (store) => valueAt<string>(store, owner));
}

/**
 * This AS is signed in. What another one left is removed; its own drafts and wishes outlive a session that ran out.
 * While a logout is owed the server is not believed, nor afterwards what it was asked before.
 *
 * @param askedAt when the server was asked, in milliseconds since 1970.
 */
export async function own(username: string, askedAt = Date.now()): Promise<void> {
  // Said with every navigation: nothing that a screen reads has to wait for a transaction that would change nothing.
  if ((await readOwner()) === username) return;
  await transact("readwrite", undefined, async (store) => {
    if ((await valueAt(store, owner)) === username || (await valueAt(store, owesLogout)) === true) return;
    const settledAt = (await valueAt<number>(store, logoutSettled)) ?? 0;
    // A time that is yet to come was noted before the device's clock was put back.
    if (askedAt < settledAt && settledAt <= Date.now()) return;
    store.delete(startingWith("own"));
    for (const kept of outliveSession) {
      store.delete(IDBKeyRange.bound([kept], [kept, username], false, true));
      store.delete(IDBKeyRange.bound([kept, username, []], [kept, []]));
    }
    store.put(username, owner);
  });
}

/** The server said that nobody is signed in: what was read for one goes, what one wrote and wished stays. */
export async function disown(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(owner);
    store.delete(startingWith("own"));
  });
}

/** The person signs out: everything of theirs goes now, and the server has yet to hear of it. */
export async function signOut(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(owner);
    store.delete(startingWith("own"));
    for (const kept of outliveSession) store.delete(startingWith(kept));
    store.put(true, owesLogout);
  });
}

/** Whether a person signed out here while the server could not be told. */
export function isLogoutOwed(): Promise<boolean> {
  return transact("readonly", false, async (store) => (await valueAt(store, owesLogout)) === true);
}

/** The server has ended the session, or somebody has signed in since. */
export async function settleLogout(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(owesLogout);
    store.put(Date.now(), logoutSettled);
  });
}

/** Runs `work` in one transaction, but only while this AS is the owner; otherwise the answer is `otherwise`. */
export function asOwner<T>(
  username: string,
  otherwise: T,
  work: (store: IDBObjectStore) => T | Promise<T>,
  mode: "readonly" | "readwrite" = "readwrite",
): Promise<T> {
  return transact(mode, otherwise, async (store) =>
    (await valueAt(store, owner)) === username ? work(store) : otherwise,
  );
}

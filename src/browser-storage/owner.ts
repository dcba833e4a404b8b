/**
 * The owner of this device's data: the AS that is logged in. Defines what is removed when the owner changes.
 *
 * Keys (persisted names, which tabs and workers of other builds use):
 * - `owner`: the AS number of the owner.
 * - `["owned", …]`: data of the owner.
 * - `["draft", username, …]` and `["preference", username, …]`: drafts and preferences of an AS. They outlive a login session
 *   that expires, but neither a logout nor the login of another AS.
 * - `["public", …]`: data of no AS.
 * - `logout-requested-at`: when the participant pressed Logout, in milliseconds since 1970, until the server has responded or the
 *   time for its response is over.
 * - `pending-logout`: true while a logout is pending, that is, until the server has ended the login session.
 * - `logout-completed-at`: when the last logout was completed, in milliseconds since 1970.
 *
 * Invariants:
 * - Data of the owner is written only while `owner` names that AS. The check and the write are one transaction, so a
 *   response that arrives after the logout is not stored.
 * - `owner` changes in the transaction that removes the data of the previous owner.
 * - A response to a request sent before a logout was completed sets no owner.
 */
import { getValue, keysStartingWith, transact } from "./database.ts";

const ownerKey = "owner";
const logoutRequestedAtKey = "logout-requested-at";
const pendingLogoutKey = "pending-logout";
const logoutCompletedAtKey = "logout-completed-at";
const ownedPrefix = "owned";
/** An AS number follows in these keys. */
const accountPrefixes = ["draft", "preference"] as const;

/** The AS that logged in last and has not logged out since; undefined if there is none. */
export function readOwner(): Promise<string | undefined> {
  return transact("readonly", undefined, (store) => getValue<string>(store, ownerKey));
}

/**
 * Makes this AS the owner and removes data of all others. Does nothing while a logout is pending, or if the server was
 * asked before the last logout was completed.
 *
 * @param requestedAt when the server was asked, in milliseconds since 1970.
 */
export async function setOwner(username: string, requestedAt = Date.now()): Promise<void> {
  // Called with every navigation: a screen's reads do not wait for a write transaction that would change nothing.
  if ((await readOwner()) === username) return;
  await transact("readwrite", undefined, async (store) => {
    if ((await getValue(store, ownerKey)) === username) return;
    if ((await getValue(store, pendingLogoutKey)) === true) return;
    const completedAt = (await getValue<number>(store, logoutCompletedAtKey)) ?? 0;
    // A time in the future was recorded before the device's clock was set back.
    if (requestedAt < completedAt && completedAt <= Date.now()) return;
    store.delete(keysStartingWith(ownedPrefix));
    for (const prefix of accountPrefixes) {
      store.delete(IDBKeyRange.bound([prefix], [prefix, username], false, true));
      store.delete(IDBKeyRange.bound([prefix, username, []], [prefix, []]));
    }
    store.put(username, ownerKey);
  });
}

/** The login session has expired: removes the owner and its data, but not its drafts and preferences. */
export async function clearOwner(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(ownerKey);
    store.delete(keysStartingWith(ownedPrefix));
  });
}

/**
 * Records that the participant has pressed Logout and that the server is being asked. Nothing is removed yet: a logout
 * that the server refuses leaves the participant logged in.
 */
export async function requestLogout(): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.put(Date.now(), logoutRequestedAtKey));
}

/** The server has refused the logout. */
export async function cancelLogout(): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.delete(logoutRequestedAtKey));
}

/** Removes all data of every AS and records that the logout is pending. */
export async function startLogout(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(ownerKey);
    store.delete(keysStartingWith(ownedPrefix));
    for (const prefix of accountPrefixes) store.delete(keysStartingWith(prefix));
    store.delete(logoutRequestedAtKey);
    store.put(true, pendingLogoutKey);
  });
}

/** A request is abandoned if its tab was closed before the server responded. */
const maxRequestMs = 10_000;

/**
 * - `pending`: the participant has logged out here and the server has not yet ended the login session.
 * - `abandoned`: the participant has pressed Logout in a tab that was closed before the server responded.
 */
export type LogoutState = "none" | "pending" | "abandoned";

export function readLogoutState(): Promise<LogoutState> {
  return transact<LogoutState>("readonly", "none", async (store) => {
    if ((await getValue(store, pendingLogoutKey)) === true) return "pending";
    const requestedAt = await getValue<number>(store, logoutRequestedAtKey);
    // A time in the future was recorded before the device's clock was set back.
    return requestedAt !== undefined && Math.abs(Date.now() - requestedAt) > maxRequestMs
      ? "abandoned"
      : "none";
  });
}

/** The server has ended the login session, or another login has replaced it. */
export async function completeLogout(): Promise<void> {
  await transact("readwrite", undefined, (store) => {
    store.delete(logoutRequestedAtKey);
    store.delete(pendingLogoutKey);
    store.put(Date.now(), logoutCompletedAtKey);
  });
}

/** Runs `work` in one transaction, but only while this AS is the owner; otherwise the result is `fallback`. */
export function transactAsOwner<T>(
  username: string,
  fallback: T,
  work: (store: IDBObjectStore) => T | Promise<T>,
  mode: "readonly" | "readwrite" = "readwrite",
): Promise<T> {
  return transact(mode, fallback, async (store) =>
    (await getValue(store, ownerKey)) === username ? work(store) : fallback,
  );
}

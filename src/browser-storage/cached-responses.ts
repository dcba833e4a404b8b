/** The last good response of each cacheable read. */
import { promisifyRequest } from "idb-keyval";
import { getValue, keysStartingWith, transact } from "./database.ts";
import { transactAsOwner } from "./owner.ts";

/** Stored as it is: the field names are persisted names. */
export interface CachedResponse {
  /** JSON, as the server sent it. */
  readonly body: string;
  /** When it arrived, in milliseconds since 1970 by the device's clock. */
  readonly fetchedAt: number;
  /** By which the server tells whether its response would be the same. */
  readonly etag?: string;
}

/** Identifies one read. */
export interface ResponseKey {
  /** The AS that the response belongs to; null for public data. */
  readonly username: string | null;
  readonly path: string;
  /** Empty for a request without a body. */
  readonly requestBody: string;
}

/** Persisted names. */
function keyOf({ username, path, requestBody }: ResponseKey): string[] {
  return username === null ? ["public", "response", path] : ["owned", "response", path, requestBody];
}

/** Stores a response, unless it belongs to an AS that is no longer logged in. */
export async function cacheResponse(key: ResponseKey, response: CachedResponse): Promise<void> {
  const put = (store: IDBObjectStore) => void store.put(response, keyOf(key));
  await (key.username === null
    ? transact("readwrite", undefined, put)
    : transactAsOwner(key.username, undefined, put));
}

/** Stores several responses of an AS in one transaction, unless it is no longer logged in. */
export async function cacheResponsesOf(
  username: string,
  responses: ReadonlyArray<readonly [Omit<ResponseKey, "username">, CachedResponse]>,
): Promise<void> {
  await transactAsOwner(username, undefined, (store) => {
    for (const [key, response] of responses) store.put(response, keyOf({ ...key, username }));
  });
}

/** Removes a response that the server has refused to confirm. */
export async function deleteCachedResponse(key: ResponseKey): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.delete(keyOf(key)));
}

/** Removes the responses of paths that this version does not have: a call whose response has another shape has another path. */
export async function deleteResponsesExcept(paths: ReadonlySet<string>): Promise<void> {
  await transact("readwrite", undefined, async (store) => {
    for (const kind of ["public", "owned"]) {
      for (const key of await promisifyRequest(store.getAllKeys(keysStartingWith(kind, "response"))))
        if (!paths.has((key as string[])[2] ?? "")) store.delete(key);
    }
  });
}

/** Undefined where nothing is cached, or where the response belongs to an AS that is not logged in. */
export function readCachedResponse(key: ResponseKey): Promise<CachedResponse | undefined> {
  const get = (store: IDBObjectStore) => getValue<CachedResponse>(store, keyOf(key));
  return key.username === null
    ? transact("readonly", undefined, get)
    : transactAsOwner(key.username, undefined, get, "readonly");
}

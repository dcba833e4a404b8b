/** The last good response of each cacheable read. */
import { getValue, transact } from "./database.ts";
import { transactAsOwner } from "./owner.ts";

export interface CachedResponse {
  /** JSON, as the server sent it. */
  readonly body: string;
  /** When it arrived, in milliseconds since 1970 by the device's clock. */
  readonly fetchedAt: number;
}

/** Identifies one read. */
export interface ResponseKey {
  /** The AS that the response belongs to; null for public data. */
  readonly username: string | null;
  readonly path: string;
  /** Empty for a request without a body. */
  readonly requestBody: string;
}

/** As stored; persisted names. */
interface StoredResponse {
  readonly body: string;
  readonly at: number;
}

/** Persisted names. */
function keyOf({ username, path, requestBody }: ResponseKey): string[] {
  return username === null ? ["public", "answer", path] : ["own", "answer", path, requestBody];
}

/** Stores a response, unless it belongs to an AS that is no longer logged in. */
export async function cacheResponse(key: ResponseKey, { body, fetchedAt }: CachedResponse): Promise<void> {
  const stored: StoredResponse = { body, at: fetchedAt };
  const put = (store: IDBObjectStore) => void store.put(stored, keyOf(key));
  await (key.username === null
    ? transact("readwrite", undefined, put)
    : transactAsOwner(key.username, undefined, put));
}

/** Removes a response that the server has refused to confirm. */
export async function deleteCachedResponse(key: ResponseKey): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.delete(keyOf(key)));
}

/** Undefined where nothing is cached, or where the response belongs to an AS that is not logged in. */
export async function readCachedResponse(key: ResponseKey): Promise<CachedResponse | undefined> {
  const get = (store: IDBObjectStore) => getValue<StoredResponse>(store, keyOf(key));
  const stored = await (key.username === null
    ? transact("readonly", undefined, get)
    : transactAsOwner(key.username, undefined, get, "readonly"));
  return stored && { body: stored.body, fetchedAt: stored.at };
}

/** The last good answer of each read. */
import { asOwner } from "./owner.ts";
import { transact, valueAt } from "./store.ts";

export interface KeptAnswer {
  /** JSON, as the server sent it. */
  readonly body: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

/** One read: whose it is (null: anybody's), its path, and what was asked for. */
export interface ReadKey {
  readonly username: string | null;
  readonly path: string;
  /** The request's body; empty without one. */
  readonly asked: string;
}

function keyOf({ username, path, asked }: ReadKey): string[] {
  return username === null ? ["public", "answer", path] : ["own", "answer", path, asked];
}

/** Keeps an answer unless it is of somebody who is not signed in any more. */
export async function keepAnswer(read: ReadKey, answer: KeptAnswer): Promise<void> {
  const put = (store: IDBObjectStore) => void store.put(answer, keyOf(read));
  await (read.username === null
    ? transact("readwrite", undefined, put)
    : asOwner(read.username, undefined, put));
}

/** The server refused this read: what it said before is no longer true. */
export async function dropAnswer(read: ReadKey): Promise<void> {
  await transact("readwrite", undefined, (store) => void store.delete(keyOf(read)));
}

export function readAnswer(read: ReadKey): Promise<KeptAnswer | undefined> {
  const get = (store: IDBObjectStore) => valueAt<KeptAnswer>(store, keyOf(read));
  return read.username === null
    ? transact("readonly", undefined, get)
    : asOwner(read.username, undefined, get, "readonly");
}

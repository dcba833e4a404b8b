import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { beforeEach } from "vitest";
import { transact } from "../../src/browser-storage/database.ts";
import { useWindowProperties } from "./window-properties.ts";

/**
 * Gives the tests of a file an IndexedDB, which jsdom lacks. It is empty before each test; the database stays, because the
 * app keeps its connection.
 */
export function useIndexedDb(): void {
  useWindowProperties({ indexedDB: new IDBFactory(), IDBKeyRange });
  beforeEach(() => transact("readwrite", undefined, (store) => void store.clear()));
}

import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { promisifyRequest } from "idb-keyval";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type * as database from "./database.ts";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("IDBKeyRange", IDBKeyRange);
});
afterEach(() => {
  // Test files share a worker: the next one must not get a module whose storage hangs.
  vi.resetModules();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The module, on a device with this storage. */
function openDatabase(indexedDB: unknown = new IDBFactory()): Promise<typeof database> {
  vi.stubGlobal("indexedDB", indexedDB);
  return import("./database.ts");
}

test("the database and its store keep their persisted names", async () => {
  const factory = new IDBFactory();
  const { transact } = await openDatabase(factory);
  await transact("readwrite", undefined, (store) => void store.put("value", "key"));
  expect(await factory.databases()).toEqual([{ name: "peerdeck", version: 1 }]);
  const name = await transact("readonly", "", (store) => store.name);
  expect(name).toBe("data");
});

test("a write is visible to the next read", async () => {
  const { getValue, transact } = await openDatabase();
  await transact("readwrite", undefined, (store) => void store.put({ nodes: ["fra01"] }, ["owned", "a"]));
  const read = await transact("readonly", undefined, (store) => getValue(store, ["owned", "a"]));
  expect(read).toEqual({ nodes: ["fra01"] });
  expect(await transact("readonly", undefined, (store) => getValue(store, "missing"))).toBeUndefined();
});

test("a range covers every key that starts with its parts, and no other", async () => {
  const { keysStartingWith, transact } = await openDatabase();
  const keys = [
    "owned",
    ["owne"],
    ["owned"],
    ["owned", "task"],
    ["owned", "task", "7"],
    ["owner", "task"],
    ["public"],
  ];
  await transact("readwrite", undefined, (store) => {
    for (const key of keys) store.put(true, key);
    store.delete(keysStartingWith("owned"));
  });
  const remaining = await transact("readonly", [], (store) => promisifyRequest(store.getAllKeys()));
  expect(remaining).toEqual(["owned", ["owne"], ["owner", "task"], ["public"]]);
});

test("a device that refuses storage gives the fallback", async () => {
  const { transact } = await openDatabase({
    open: () => {
      throw new DOMException("The user denied permission.", "SecurityError");
    },
  });
  expect(await transact("readonly", "fallback", () => "stored")).toBe("fallback");
});

test("a transaction that fails changes nothing and gives the fallback", async () => {
  const { getValue, transact } = await openDatabase();
  const failed = transact("readwrite", "fallback", (store) => {
    store.put("value", "key");
    store.transaction.abort();
    return "stored";
  });
  expect(await failed).toBe("fallback");
  expect(await transact("readonly", undefined, (store) => getValue(store, "key"))).toBeUndefined();
});

test("storage that hangs gives the fallback after two seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { transact } = await openDatabase({ open: () => ({}) });
  const result = transact("readonly", "fallback", () => "stored");
  await vi.advanceTimersByTimeAsync(1_999);
  const early = await Promise.race([result, Promise.resolve("pending")]);
  expect(early).toBe("pending");
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toBe("fallback");
});

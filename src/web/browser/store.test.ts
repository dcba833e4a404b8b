import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test, vi } from "vitest";
import { clearAccountStores, createAccountStore, createAppStore, createStore } from "./store.ts";

const one = "4242420001";
const other = "4242420002";

describe("a store", () => {
  test("notifies its subscribers of every change, until they unsubscribe", () => {
    const store = createStore("a");
    const onChange = vi.fn<() => void>();
    const unsubscribe = store.subscribe(onChange);
    store.set("b");
    expect(store.get()).toBe("b");
    expect(onChange).toHaveBeenCalledOnce();
    unsubscribe();
    store.set("c");
    expect(onChange).toHaveBeenCalledOnce();
  });

  test("notifies no subscriber of a value that is the same", () => {
    const store = createStore("a");
    const onChange = vi.fn<() => void>();
    store.subscribe(onChange);
    store.set("a");
    expect(onChange).not.toHaveBeenCalled();
  });
});

test("each app has a store of its own", () => {
  const isReachable = createAppStore(true);
  const [first, second] = [new QueryClient(), new QueryClient()];
  isReachable(first).set(false);
  expect(isReachable(first).get()).toBe(false);
  expect(isReachable(second).get()).toBe(true);
});

describe("account stores", () => {
  test("are all cleared but for the AS that logs in", () => {
    const client = new QueryClient();
    const [drafts, tasks] = [createAccountStore<string>(), createAccountStore<number>()];
    drafts(client).set(
      new Map([
        [one, "draft"],
        [other, "other draft"],
      ]),
    );
    tasks(client).set(new Map([[one, 7]]));
    clearAccountStores(client, other);
    expect([...drafts(client).get()]).toEqual([[other, "other draft"]]);
    expect([...tasks(client).get()]).toEqual([]);
    clearAccountStores(client);
    expect([...drafts(client).get()]).toEqual([]);
  });

  test("of another app stay as they are", () => {
    const drafts = createAccountStore<string>();
    const [first, second] = [new QueryClient(), new QueryClient()];
    drafts(first).set(new Map([[one, "draft"]]));
    drafts(second).set(new Map([[one, "draft"]]));
    clearAccountStores(first);
    expect(drafts(second).get().size).toBe(1);
  });
});

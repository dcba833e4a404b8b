/** Observable values outside of React, for `useSyncExternalStore`. */
import { useSyncExternalStore } from "react";
import type { QueryClient } from "@tanstack/react-query";

export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Calls `onChange` after every change, until the returned function is called. */
  readonly subscribe: (onChange: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = initial;
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** A store for each running app, identified by its QueryClient: tests run several apps in one process. */
export function createAppStore<T>(initial: T): (client: QueryClient) => Store<T> {
  const stores = new WeakMap<QueryClient, Store<T>>();
  return (client) => {
    const store = stores.get(client) ?? createStore(initial);
    stores.set(client, store);
    return store;
  };
}

/** By username. */
export type AccountStore<T> = Store<ReadonlyMap<string, T>>;

/** The account stores that each app has used, for `clearAccountStores`. */
const accountStores = new WeakMap<QueryClient, Set<AccountStore<unknown>>>();

/** A store for data that belongs to an AS: a logout clears it. */
export function createAccountStore<T>(): (client: QueryClient) => AccountStore<T> {
  const storeOf = createAppStore<ReadonlyMap<string, T>>(new Map());
  return (client) => {
    const store = storeOf(client);
    const all = accountStores.get(client) ?? new Set();
    accountStores.set(client, all.add(store as AccountStore<unknown>));
    return store;
  };
}

/** Removes the data of every AS but one from all account stores. */
export function clearAccountStores(client: QueryClient, exceptUsername?: string): void {
  for (const store of accountStores.get(client) ?? [])
    store.set(new Map([...store.get()].filter(([username]) => username === exceptUsername)));
}

export function useStore<T>({ subscribe, get }: Store<T>): T {
  return useSyncExternalStore(subscribe, get);
}

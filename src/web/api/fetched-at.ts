/** When a query's data was fetched, where it is older than the last request: the worker gave a cached response. */
import { hashKey, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { createAppStore, useStore } from "../browser/store.ts";

/** Milliseconds since 1970 by the device's clock, by query hash. */
const fetchedAtTimes = createAppStore<ReadonlyMap<string, number>>(new Map());

/** @param fetchedAt milliseconds since 1970 by the device's clock; null: the server has just responded. */
export function recordFetchedAt(client: QueryClient, query: QueryKey, fetchedAt: number | null): void {
  const store = fetchedAtTimes(client);
  const hash = hashKey(query);
  if ((store.get().get(hash) ?? null) === fetchedAt) return;
  const times = new Map(store.get());
  if (fetchedAt === null) times.delete(hash);
  else times.set(hash, fetchedAt);
  store.set(times);
}

/** Records that a query's data is as old as `fetchedAt`, unless it is known to be older. */
export function recordFetchedAtUnlessKnown(client: QueryClient, query: QueryKey, fetchedAt: number): void {
  if (!fetchedAtTimes(client).get().has(hashKey(query))) recordFetchedAt(client, query, fetchedAt);
}

/** Forgets the time of every query that the cache removes. */
export function removeFetchedAtWithQuery(client: QueryClient): void {
  client.getQueryCache().subscribe(({ type, query: { queryKey } }) => {
    if (type === "removed") recordFetchedAt(client, queryKey, null);
  });
}

/** The oldest time of several queries, in milliseconds since 1970; null if all of them are up to date. */
export function useFetchedAt(...queries: readonly QueryKey[]): number | null {
  const times = useStore(fetchedAtTimes(useQueryClient()));
  const known = queries.flatMap((query) => times.get(hashKey(query)) ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

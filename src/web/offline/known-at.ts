/**
 * When what a query holds was true, where it did not come from the server just now. It stands beside the data in
 * the cache of queries, so it goes when the data goes.
 */
import { hashKey, type QueryClient, type QueryKey, useQueries } from "@tanstack/react-query";

function keyOf(of: QueryKey): QueryKey {
  // The AS, second in every key, stays there: whoever forgets a person forgets this too.
  return ["known-at", of[1] ?? "", hashKey(of)];
}

/** @param at milliseconds since 1970 by the device's clock; null: the server has just said it. */
export function noteKnownAt(
  client: QueryClient,
  of: QueryKey,
  at: number | null,
  unless?: "keep the older",
): void {
  const known = client.getQueryData<number | null>(keyOf(of)) ?? null;
  client.setQueryData(keyOf(of), unless === undefined ? at : (known ?? at));
}

/** The oldest of several queries' times, in milliseconds since 1970; null where all of them are as of now. */
export function useKnownAt(...queries: readonly QueryKey[]): number | null {
  return useQueries({
    queries: queries.map((of) => ({
      queryKey: keyOf(of),
      queryFn: () => null,
      enabled: false,
      initialData: null as number | null,
      staleTime: Infinity,
    })),
    combine: (results) => {
      const times = results.flatMap(({ data }) => data ?? []);
      return times.length === 0 ? null : Math.min(...times);
    },
  });
}

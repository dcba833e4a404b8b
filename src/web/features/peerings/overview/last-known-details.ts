/**
 * The last output of a node about a peering that the worker has cached. A node that does not respond keeps its request waiting
 * for seconds; meanwhile, and after its failure, the screen shows this.
 */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import * as v from "valibot";
import { readCachedResponse } from "#browser-storage/cached-responses.ts";
import { calls } from "#contract/call-tables/app-calls.ts";
import { peeringKey } from "#web/api/peering-queries.ts";
import { loadUnlessCached } from "#web/api/query-client.ts";
import { peerDetailsQuery, toDetails } from "../queries.ts";

/** Null if the device has none. */
export function lastKnownDetailsQuery(username: string, node: string) {
  return queryOptions({
    queryKey: peeringKey(username, "last-known-details", node),
    queryFn: async () => {
      const { path, accepted } = calls.getPeerDetails;
      const requestBody = JSON.stringify({ username, node });
      const cached = await readCachedResponse({ username, path, requestBody });
      const read = cached && v.safeParse(accepted, JSON.parse(cached.body));
      if (!cached || read?.success !== true) return null;
      return { ...toDetails(read.output, node), fetchedAt: cached.fetchedAt };
    },
    retry: false,
  });
}

/** Loads the output, and waits for the node only if the device has none. */
export async function loadDetails(queryClient: QueryClient, username: string, node: string): Promise<void> {
  const current = loadUnlessCached(queryClient, peerDetailsQuery(username, node));
  const lastKnown = queryClient.fetchQuery(lastKnownDetailsQuery(username, node)).catch(() => null);
  await Promise.race([current, lastKnown.then((known) => (known === null ? current : undefined))]);
}

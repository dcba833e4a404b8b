/** Whether the server responded to the last read. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createAppStore, useStore } from "./store.ts";

const connectivity = createAppStore(true);
/** When the screen's data was last refetched, in milliseconds since 1970. */
const refetchedAt = createAppStore(0);
/** Where one call is slow and another is not, each refetch ends with the server reachable again. */
const minRefetchIntervalMs = 3_000;

/** @param isReachable false: there was no response, or the worker gave a cached one. */
export function reportConnectivity(client: QueryClient, isReachable: boolean): void {
  const store = connectivity(client);
  const hasReturned = isReachable && !store.get();
  store.set(isReachable);
  // The screen shows cached data: it is refetched as soon as the server is reachable again.
  if (!hasReturned || Date.now() - refetchedAt(client).get() < minRefetchIntervalMs) return;
  refetchedAt(client).set(Date.now());
  void client.invalidateQueries({ type: "active" });
}

/** Whether the server responded to the last read; true before the first one. */
export function useIsServerReachable(): boolean {
  return useStore(connectivity(useQueryClient()));
}

/** Whether the server responded to the last read. */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { createAppStore, useStore } from "./store.ts";

const connectivity = createAppStore(true);

/** @param isReachable false: there was no response, or the worker gave a cached one. */
export function reportConnectivity(client: QueryClient, isReachable: boolean): void {
  const store = connectivity(client);
  const hasReturned = isReachable && !store.get();
  store.set(isReachable);
  // The screen shows cached data: it is refetched as soon as the server is reachable again.
  if (hasReturned) void client.invalidateQueries({ type: "active" });
}

/** Whether the server responded to the last read; true before the first one. */
export function useIsServerReachable(): boolean {
  return useStore(connectivity(useQueryClient()));
}

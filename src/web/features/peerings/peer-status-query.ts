import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { calls } from "#contract/call-tables/app-calls.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import type { LiveEvent } from "#contract/live-events.ts";
import { read } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { peeringKey, refreshPeering } from "../../api/peering-queries.ts";
import { createAccountStore, createAppStore, useStore } from "../../browser/store.ts";

const pollMs = 10_000;
const deployingPollMs = 5_000;
/** With the event stream, polling only refreshes counters and ages. */
const streamedPollMs = 60_000;
/** The server has read every node once by then; a status from before may have changed without an event. */
const streamSettleMs = 10_000;
const minPollMs = 1_000;

/** When the leader tab connected the event stream, in milliseconds since 1970; null while it is not connected. */
const eventStreamConnectedAt = createAppStore<number | null>(null);

/** When an event brought the status of a peering, in milliseconds since 1970, by node. */
const eventTimes = createAccountStore<ReadonlyMap<string, number>>();

export function setEventStreamConnected(queryClient: QueryClient, isConnected: boolean): void {
  eventStreamConnectedAt(queryClient).set(isConnected ? Date.now() : null);
}

/** Status of every peering of this AS, polled while a screen shows it. */
export function peerStatusQuery(username: string, connectedAt: number | null = null) {
  return queryOptions({
    queryKey: peeringKey(username, "status"),
    queryFn: (context) => read(context, calls.getPeerStatus, { username }),
    refetchInterval: ({ state }) => pollIntervalOf(state, connectedAt),
  });
}

/** The query for a component: polling slows down while the event stream is connected. */
export function usePeerStatusQuery(username: string) {
  return peerStatusQuery(username, useStore(eventStreamConnectedAt(useQueryClient())));
}

/** When the status of a peering was received, in milliseconds since 1970 by the device's clock: its ages count from then. */
export function useStatusReceivedAt(username: string, node: string): number {
  const query = peerStatusQuery(username);
  const { dataUpdatedAt } = useQuery({ ...query, enabled: false });
  const fetchedAt = useFetchedAt(query.queryKey);
  const byNode = useStore(eventTimes(useQueryClient())).get(username);
  return Math.max(fetchedAt ?? dataUpdatedAt, byNode?.get(node) ?? 0);
}

interface QueryTimes {
  readonly data: readonly PeerStatus[] | undefined;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
}

function pollIntervalOf(
  { data, dataUpdatedAt, errorUpdatedAt }: QueryTimes,
  connectedAt: number | null,
): number {
  if (connectedAt !== null && dataUpdatedAt > connectedAt + streamSettleMs) {
    // Counted from the last request, because every event restarts the timer.
    const nextAt = Math.max(dataUpdatedAt, errorUpdatedAt) + streamedPollMs;
    return Math.max(minPollMs, nextAt - Date.now());
  }
  return data?.some(({ deployment }) => deployment !== null) === true ? deployingPollMs : pollMs;
}

/** Writes the status that an event carries into the cache, or refetches where that is not possible. */
export function cachePeerStatus(
  queryClient: QueryClient,
  username: string,
  { node, status }: LiveEvent<"peering">,
): void {
  const { queryKey } = peerStatusQuery(username);
  const state = queryClient.getQueryState(queryKey);
  const isListed = state?.data?.some((known) => known.node === node) === true;
  // The response to a request in flight may be older than the event.
  if (!status || !isListed || state.fetchStatus === "fetching") {
    void refreshPeering(queryClient, username, node);
    return;
  }
  const times = eventTimes(queryClient);
  times.set(new Map(times.get()).set(username, new Map(times.get().get(username)).set(node, Date.now())));
  queryClient.setQueryData(
    queryKey,
    (statuses) => statuses?.map((known) => (known.node === node ? status : known)),
    // The other statuses are as old as before.
    { updatedAt: state.dataUpdatedAt },
  );
  void queryClient.invalidateQueries({ queryKey: peeringKey(username, "details", node) });
}

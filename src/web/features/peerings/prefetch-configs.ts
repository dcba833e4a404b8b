/**
 * Fetches the configuration of every peering while the dashboard is open, so that the worker has it when the network
 * fails: a participant whose router is down needs it then, and may never have opened it on this device.
 *
 * One call reads them all. A server without it is asked for few, one after the other, because each needs two calls: those
 * of the peerings that need the participant come first, and the others are read when they are opened.
 *
 * Invariants: it waits for the dashboard's own requests; one request at a time; the first failure ends a run; nothing is
 * fetched for an AS that is no longer logged in.
 */
import {
  type QueryClient,
  type QueryKey,
  type FetchQueryOptions,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { configCalls } from "#contract/call-tables/config-calls.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { readOptional } from "../../api/client.ts";
import { authStatusQuery } from "../../api/login-session.ts";
import { peeringKey } from "../../api/peering-queries.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { shouldSaveData } from "../../browser/data-saving.ts";
import { useIsWorkerInControl } from "../../browser/worker.ts";
import { compareWorstFirst } from "./dashboard/sort-peerings.ts";
import { peerStatusQuery } from "./peer-status-query.ts";
import { nodeConfigQuery, peerConfigQuery } from "./queries.ts";

/** A configuration changes only with a deployment, which invalidates it. */
const freshMs = 60 * 60_000;

/** The peerings of which a run reads the configuration one by one. */
const maxSingle = 5;

/** The last run of each app, which ends before the next one starts. */
const runs = new WeakMap<QueryClient, Promise<void>>();

/** @param peerings undefined until they are loaded */
export function usePrefetchConfigs(username: string, peerings: readonly PeerStatus[] | undefined): void {
  const queryClient = useQueryClient();
  const isServerReachable = useIsServerReachable();
  const isWorkerInControl = useIsWorkerInControl();
  const wasWorkerInControl = useRef(isWorkerInControl);
  // The configuration of a peering in deployment is about to change.
  const settled = peerings?.filter(({ deployment }) => deployment === null);
  const ordered = useRef<readonly string[]>([]);
  useEffect(() => {
    ordered.current = settled?.toSorted(compareWorstFirst).map(({ node }) => node) ?? [];
  });
  // Another order alone is no reason for another run.
  const nodes = settled?.map(({ node }) => node).join(" ") ?? "";
  useEffect(() => {
    if (nodes === "" || !isServerReachable || !isWorkerInControl || shouldSaveData()) return;
    // On a first visit, the worker has not seen what the page has read so far.
    const staleTime = wasWorkerInControl.current ? freshMs : 0;
    wasWorkerInControl.current = true;
    const previous = runs.get(queryClient);
    const run = async () => {
      await previous;
      await noRequests(queryClient);
      if (staleTime === 0) await queryClient.refetchQueries(peerStatusQuery(username));
      await prefetchConfigs(queryClient, username, ordered.current, staleTime);
    };
    runs.set(queryClient, run());
  }, [queryClient, username, nodes, isServerReachable, isWorkerInControl]);
}

/** Never rejects. The next dashboard continues where a failure ended this run. */
async function prefetchConfigs(
  queryClient: QueryClient,
  username: string,
  nodes: readonly string[],
  staleTime: number,
): Promise<void> {
  const isLoggedIn = () => queryClient.getQueryData(authStatusQuery().queryKey)?.username === username;
  const missing = nodes.filter((node) =>
    queriesOf(username, node).some(({ queryKey }) => isStale(queryClient, queryKey, staleTime)),
  );
  try {
    let single = missing;
    if (missing.length > 1 && isLoggedIn()) {
      if (await fetchAllConfigs(queryClient, username, missing)) return;
      const first = new Set(nodes.slice(0, maxSingle));
      single = missing.filter((node) => first.has(node));
    }
    const options = { staleTime, gcTime: freshMs, retry: false } as const;
    for (const node of single) {
      if (isLoggedIn()) await queryClient.fetchQuery({ ...peerConfigQuery(username, node), ...options });
      if (isLoggedIn()) await queryClient.fetchQuery({ ...nodeConfigQuery(username, node), ...options });
    }
  } catch {
    // Nothing that is on the screen has failed.
  }
}

function queriesOf(username: string, node: string) {
  return [peerConfigQuery(username, node), nodeConfigQuery(username, node)] as const;
}

function isStale(queryClient: QueryClient, queryKey: QueryKey, staleTime: number): boolean {
  const state = queryClient.getQueryState(queryKey);
  return state === undefined || state.isInvalidated || state.dataUpdatedAt + staleTime <= Date.now();
}

/** Resolves to false if the server cannot read all configurations with one call. */
async function fetchAllConfigs(
  queryClient: QueryClient,
  username: string,
  nodes: readonly string[],
): Promise<boolean> {
  const requestedAt = Date.now();
  const configs = await queryClient.fetchQuery({
    queryKey: peeringKey(username, "configs"),
    queryFn: (context) => readOptional(context, configCalls.getPeeringConfigs, { username }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (configs === null) return false;
  /** A screen may have read one meanwhile, after a deployment. */
  const put = <Data>(query: FetchQueryOptions<Data, Error, Data, readonly string[]>, data: Data) => {
    const cached = queryClient.getQueryCache().build(queryClient, { ...query, gcTime: freshMs });
    const { fetchStatus, dataUpdatedAt } = cached.state;
    if (fetchStatus === "idle" && dataUpdatedAt <= requestedAt)
      cached.setData(data, { updatedAt: requestedAt, manual: true });
  };
  for (const { node, peer, provider } of configs.filter((config) => nodes.includes(config.node))) {
    put(peerConfigQuery(username, node), peer);
    put(nodeConfigQuery(username, node), provider);
  }
  return true;
}

/** Resolves when no query is being fetched. */
async function noRequests(queryClient: QueryClient): Promise<void> {
  await new Promise<void>((resolve) => {
    const check = () => {
      if (queryClient.isFetching() > 0) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = queryClient.getQueryCache().subscribe(check);
    check();
  });
}

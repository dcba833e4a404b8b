/**
 * Fetches the configuration of every peering while the dashboard is open, so that the worker has it when the network
 * fails: a participant whose router is down needs it then, and may never have opened it on this device.
 *
 * Invariants: it waits for the dashboard's own requests; one request at a time; the first failure ends a run; nothing is
 * fetched for an AS that is no longer logged in.
 */
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { PeerStatus } from "#contract/lenient.ts";
import { authStatusQuery } from "../../api/login-session.ts";
import { useIsServerReachable } from "../../browser/connectivity.ts";
import { shouldSaveData } from "../../browser/data-saving.ts";
import { useIsWorkerInControl } from "../../browser/worker.ts";
import { peerStatusQuery } from "./peer-status-query.ts";
import { nodeConfigQuery, peerConfigQuery } from "./queries.ts";

/** A configuration changes only with a deployment, which invalidates it. */
const freshMs = 60 * 60_000;

/** The last run of each app, which ends before the next one starts. */
const runs = new WeakMap<QueryClient, Promise<void>>();

/** @param peerings undefined until they are loaded */
export function usePrefetchConfigs(username: string, peerings: readonly PeerStatus[] | undefined): void {
  const queryClient = useQueryClient();
  const isServerReachable = useIsServerReachable();
  const isWorkerInControl = useIsWorkerInControl();
  const wasWorkerInControl = useRef(isWorkerInControl);
  // The configuration of a peering in deployment is about to change.
  const settled = peerings?.flatMap(({ node, deployment }) => (deployment === null ? node : []));
  const nodes = settled?.join(" ") ?? "";
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
      await prefetchConfigs(queryClient, username, nodes.split(" "), staleTime);
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
  const options = { staleTime, gcTime: freshMs, retry: false } as const;
  const isLoggedIn = () => queryClient.getQueryData(authStatusQuery().queryKey)?.username === username;
  try {
    for (const node of nodes) {
      if (isLoggedIn()) await queryClient.fetchQuery({ ...peerConfigQuery(username, node), ...options });
      if (isLoggedIn()) await queryClient.fetchQuery({ ...nodeConfigQuery(username, node), ...options });
    }
  } catch {
    // Nothing that is on the screen has failed.
  }
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

import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type EndpointRoundTrips, roundTripCalls } from "#contract/call-tables/round-trip-calls.ts";
import { readOptional } from "#web/api/client.ts";
import { peeringKey } from "#web/api/peering-queries.ts";

/** A node that responds late is in a later response of the server. */
const refetchMs = 2_000;
const maxReads = 3;

/** Round trips from all nodes to the participant's endpoint; null if the server does not have the call. */
export function endpointRoundTripsQuery(username: string) {
  return queryOptions({
    queryKey: peeringKey(username, "round-trips"),
    queryFn: (context) => readOptional(context, roundTripCalls.getEndpointRoundTrips, { username }),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      dataUpdateCount < maxReads && data?.nodes.some(({ latency }) => latency === null) === true
        ? refetchMs
        : false,
  });
}

/** Milliseconds by node. */
type Latencies = ReadonlyMap<string, number>;

export interface RoundTrips {
  /** Whether the list has a place for them. It is kept while they are being loaded. */
  readonly isShown: boolean;
  readonly latencies: Latencies;
  /** Whether they are loaded after the list was shown. */
  readonly isLate: boolean;
  /** Whether a node without a value has none, instead of one that may still arrive. */
  readonly isLoaded: boolean;
  /** Says what was measured; empty while it is not known. */
  readonly sentence: string;
  /** The nodes in the order of the list. */
  readonly order: readonly string[];
}

type FirstView = Pick<RoundTrips, "isShown" | "isLate" | "latencies">;

const noLatencies: Latencies = new Map();

/**
 * The round trips to the participant's endpoint, and the order of the nodes. Both the order and the layout are decided when
 * the list is first shown, so that nothing moves under the finger; null before.
 *
 * @param nodes in the order of the profile; undefined until the list can be shown
 */
export function useRoundTrips(
  username: string,
  nodes: readonly string[] | undefined,
  hasPeerings: boolean,
): RoundTrips | null {
  const { data, isPending } = useQuery(endpointRoundTripsQuery(username));
  const [first, setFirst] = useState<FirstView | null>(null);
  if (nodes === undefined) return null;
  const latencies = data ? latenciesOf(data, nodes) : noLatencies;
  if (first === null) {
    setFirst({ isShown: isPending ? hasPeerings : latencies.size > 0, isLate: isPending, latencies });
    return null;
  }
  const order = sortNearestFirst(nodes, first.latencies);
  return {
    isShown: first.isShown,
    isLate: first.isLate,
    latencies,
    isLoaded: !isPending,
    order,
    sentence: latencies.size === 0 || !data ? "" : describe(data.endpoint, order, latencies),
  };
}

/** The values of the nodes in the list. */
function latenciesOf({ nodes }: EndpointRoundTrips, listed: readonly string[]): Latencies {
  const measured = new Map(nodes.map(({ node, latency }) => [node, latency]));
  return new Map(
    listed.flatMap((node) => {
      const latency = measured.get(node) ?? null;
      return latency === null ? [] : [[node, latency]];
    }),
  );
}

/** Nodes without a round trip are last and keep their order. */
function sortNearestFirst(nodes: readonly string[], latencies: Latencies): readonly string[] {
  const distance = (node: string) => latencies.get(node) ?? Number.MAX_VALUE;
  return nodes.toSorted((a, b) => distance(a) - distance(b));
}

/** Values that arrived after the order was decided may contradict it. */
function describe(endpoint: string, order: readonly string[], latencies: Latencies): string {
  const isSorted =
    latencies.size > 1 && sortNearestFirst(order, latencies).every((node, index) => node === order[index]);
  return `${isSorted ? "Nearest first, measured" : "Round trips measured"} to ${endpoint}.`;
}

/** The nearest of these nodes; null if there are not two round trips to compare. */
export function findNearest(nodes: readonly string[], latencies: Latencies): string | null {
  const [nearest] = sortNearestFirst(nodes, latencies);
  return nearest !== undefined && latencies.size > 1 && latencies.has(nearest) ? nearest : null;
}

import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery, type UseQueryOptions, type UseQueryResult } from "@tanstack/react-query";
import type { NodeSeries, TrafficSeries } from "#contract/call-tables/sample-calls.ts";
import { formatAge } from "#domain/text/age.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { describeNodes } from "../../api/network/describe-nodes.ts";
import { nodeHistoryQuery } from "../../api/network/node-history.ts";
import { useNodeHost, useProvider } from "../../api/provider.ts";
import { toServerTime } from "../../api/server-ages.ts";
import { Skeleton } from "../../ui/feedback/loading.tsx";
import { Notice } from "../../ui/feedback/notice.tsx";
import { CachedAge } from "../../ui/text/age.tsx";
import { useNow } from "../../ui/text/clock.ts";
import { VisuallyHidden } from "../../ui/text/visually-hidden.tsx";
import type { ChartState } from "./chart.tsx";
import { nodeSeriesQuery, trafficSeriesQuery } from "./samples-query.ts";

export interface SamplesLeadProps {
  readonly samples: Samples;
  /** Says how the nodes are; null without samples. */
  readonly sentence: string | null;
}

/** How the nodes are, and how old this is. On a phone the sentence has two lines, whether it needs them or not. */
export function SamplesLead({ samples, sentence }: SamplesLeadProps) {
  const { isRecorded, state } = samples;
  return (
    <>
      {isRecorded && state.status !== "failed" && (
        <chakra.span
          display="block"
          minHeight={{ base: "3em", md: "1.5em" }}
          color="fg"
          overflowWrap="anywhere"
        >
          {state.status === "pending" ? (
            <Skeleton width="24rem" height="1.5em" />
          ) : (
            (sentence ?? "Nothing was measured in the last 3 hours.")
          )}
        </chakra.span>
      )}
      <span>
        <LastSampleAge samples={samples} />
      </span>
    </>
  );
}

/** The age of the newest sample, in one line; of cached data the same age as on the status page. */
function LastSampleAge({ samples: { fetchedAt, isRecorded, state } }: { readonly samples: Samples }) {
  const now = toServerTime(useNow());
  if (fetchedAt !== null) return <CachedAge fetchedAt={fetchedAt} />;
  if (!isRecorded) return "The last 3 hours.";
  const { status, latestAt } = state;
  if (status === "pending") {
    return (
      <>
        <VisuallyHidden role="status">Loading…</VisuallyHidden>
        Last sample: …
      </>
    );
  }
  return <>Last sample: {latestAt === null ? "none yet" : formatAge(Math.max(0, now - latestAt) / 1000)}</>;
}

/** The error of a failed load, with a Retry button. */
export function SamplesError({ samples: { query, state } }: { readonly samples: Samples }) {
  if (!query.isError) return null;
  return (
    <Notice onRetry={() => void query.refetch()} isRetrying={query.isFetching}>
      {state.status === "loaded"
        ? "The latest samples could not be loaded. The charts show the previous ones."
        : "The samples could not be loaded."}{" "}
      {errorMessage(query.error)}
    </Notice>
  );
}

/** Says how the nodes are, with the data of the status page; null while it is not known. */
export function useNodeStates(): string | null {
  const { nodes } = useProvider();
  const hostOf = useNodeHost();
  const { data } = useQuery(nodeHistoryQuery());
  if (!data) return null;
  const known = nodes.map(({ name }) => ({ name, history: data.find(({ node }) => node === name) ?? null }));
  return describeNodes(known, hostOf);
}

export interface Samples {
  readonly query: UseQueryResult;
  /** When cached data was fetched, in milliseconds since 1970; null for live data. */
  readonly fetchedAt: number | null;
  /** False if the server records no samples. */
  readonly isRecorded: boolean;
  readonly state: ChartState;
}

export interface NodeSamples extends Samples {
  /** Every node of the provider, without samples until they are loaded. */
  readonly series: NodeSeries;
}

export interface TrafficSamples extends Samples {
  readonly series: TrafficSeries;
}

/** The text of an empty chart on a server that records no samples. */
export const notRecordedText = "This server does not record charts.";

/** How often the time axes move, with or without new samples. */
const axisIntervalMs = 10_000;

/** @param enabled false if the provider's dashboards cover all panels of the view. */
export function useNodeSamples(username: string, enabled: boolean): NodeSamples {
  const { nodes } = useProvider();
  return useSamples(nodeSeriesQuery(username), enabled, {
    times: [],
    nodes: nodes.map(({ name: node }) => ({ node, cpu: [], memory: [], ipv4: [], ipv6: [] })),
  });
}

/** @param enabled the same */
export const useTrafficSamples = (username: string, enabled: boolean): TrafficSamples =>
  useSamples(trafficSeriesQuery(username), enabled, noTraffic);

const noTraffic: TrafficSeries = { times: [], nodes: [] };

function useSamples<Series extends NodeSeries | TrafficSeries>(
  options: UseQueryOptions<Series | null, Error, Series | null, string[]>,
  enabled: boolean,
  empty: Series,
): Samples & { readonly series: Series } {
  const query = useQuery({ ...options, enabled });
  const statesFetchedAt = useFetchedAt(nodeHistoryQuery().queryKey);
  const samplesFetchedAt = useFetchedAt(options.queryKey);
  const { data } = query;
  return {
    query,
    series: data ?? empty,
    fetchedAt: statesFetchedAt ?? samplesFetchedAt,
    isRecorded: data !== null,
    state: {
      status: data !== undefined ? "loaded" : query.isError ? "failed" : "pending",
      now: toServerTime(useNow(axisIntervalMs)),
      // With or without a response of any node.
      latestAt: data?.times.at(-1) ?? null,
    },
  };
}

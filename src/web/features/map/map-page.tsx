import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatAge } from "#domain/text/age.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { networkSummaryQuery } from "../../api/network/history-queries.ts";
import { linksQuery } from "../../api/network/links-query.ts";
import { useNodeRows } from "../../api/network/node-rows.ts";
import { useProvider } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { CachedAge } from "../../ui/text/age.tsx";
import { describeNodes } from "./node-facts.ts";
import { describeLinks, linksBetween } from "./node-links.ts";
import { NodeList } from "./node-list.tsx";
import { WorldMap } from "./world-map.tsx";

export interface MapPageProps {
  /** The node whose popup is open. */
  readonly selected: string | null;
  readonly onSelect: (node: string | null) => void;
}

export function MapPage({ selected, onSelect }: MapPageProps) {
  const { nodes } = useProvider();
  const query = useQuery(linksQuery());
  const { data } = query;
  const summaryQuery = useQuery(networkSummaryQuery());
  const summary = summaryQuery.data;
  const fetchedAt = useFetchedAt(linksQuery().queryKey, networkSummaryQuery().queryKey);
  const links = useMemo(() => data && linksBetween(nodes, data), [nodes, data]);
  const rows = useNodeRows(summary ?? null);
  const states = { rows, summary, isLoading: summaryQuery.isPending };
  const toggle = (node: string) => onSelect(node === selected ? null : node);
  const lead = [describeNodes(rows), links && !states.isLoading && `${describeLinks(links)}.`];
  const retry = () => {
    for (const each of [query, summaryQuery]) if (each.isError) void each.refetch();
  };

  return (
    <Page
      title="Map"
      lead={
        <>
          {lead.filter(Boolean).join(" ")} <CachedAge fetchedAt={fetchedAt} />
        </>
      }
    >
      {query.isError && (
        <Notice tone="warning" onRetry={retry} isRetrying={query.isFetching}>
          {data
            ? `The links could not be refreshed. The map shows them as of ${formatAge((query.errorUpdatedAt - query.dataUpdatedAt) / 1000)}.`
            : "The links could not be loaded."}{" "}
          {errorMessage(query.error)}
        </Notice>
      )}
      {summaryQuery.isError && !query.isError && (
        <Notice tone="warning" onRetry={retry} isRetrying={summaryQuery.isFetching}>
          {summary
            ? `The states of the nodes could not be refreshed. They are shown as of ${formatAge((summaryQuery.errorUpdatedAt - summaryQuery.dataUpdatedAt) / 1000)}.`
            : "The states of the nodes could not be loaded."}{" "}
          {errorMessage(summaryQuery.error)}
        </Notice>
      )}
      <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5">
        <WorldMap
          links={links}
          isOutdated={query.isError}
          states={states}
          selected={selected}
          onToggle={toggle}
          onClose={() => onSelect(null)}
        />
        <NodeList
          links={links}
          isOutdated={query.isError}
          states={states}
          selected={selected}
          onToggle={toggle}
        />
      </chakra.div>
    </Page>
  );
}

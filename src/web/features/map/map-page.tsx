import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { formatAge } from "../../../domain/age.ts";
import { errorMessage } from "../../api/client.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { useProvider } from "../../api/provider.ts";
import { Notice } from "../../ui/feedback/notice.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { CachedAge } from "../../ui/text/age.tsx";
import { linksQuery } from "../../api/network/links-query.ts";
import { linksBetween } from "./node-links.ts";
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
  const fetchedAt = useFetchedAt(linksQuery().queryKey);
  const links = useMemo(() => data && linksBetween(nodes, data), [nodes, data]);
  const toggle = (node: string) => onSelect(node === selected ? null : node);

  return (
    <Page
      title="Map"
      lead={
        <>
          Our nodes and the links between them. Select a node on the map or in the list to see its location
          and its links. <CachedAge fetchedAt={fetchedAt} />
        </>
      }
    >
      {query.isError && (
        <Notice tone="warning" onRetry={() => void query.refetch()} isRetrying={query.isFetching}>
          {data
            ? `The links could not be refreshed. The map shows them as of ${formatAge((query.errorUpdatedAt - query.dataUpdatedAt) / 1000)}.`
            : "The links could not be loaded."}{" "}
          {errorMessage(query.error)}
        </Notice>
      )}
      <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5">
        <WorldMap
          links={links}
          isOutdated={query.isError}
          selected={selected}
          onToggle={toggle}
          onClose={() => onSelect(null)}
        />
        <NodeList links={links} isOutdated={query.isError} selected={selected} onToggle={toggle} />
      </chakra.div>
    </Page>
  );
}

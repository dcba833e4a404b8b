import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toldBy } from "../../api/client.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { useProvider } from "../../api/provider.ts";
import { LastKnown } from "../../ui/last-known.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { spokenAge } from "../../../domain/age.ts";
import { linksBetween } from "./links.ts";
import { linksQuery } from "./links-query.ts";
import { NodeList } from "./node-list.tsx";
import { WorldMap } from "./world-map.tsx";

export interface MapPageProps {
  /** The node whose popup is open. */
  readonly chosen: string | null;
  readonly onChoose: (node: string | null) => void;
}

export function MapPage({ chosen, onChoose }: MapPageProps) {
  const { nodes } = useProvider();
  const query = useQuery(linksQuery());
  const { data } = query;
  const knownAt = useKnownAt(linksQuery().queryKey);
  const links = useMemo(() => data && linksBetween(nodes, data), [nodes, data]);
  const toggle = (node: string) => onChoose(node === chosen ? null : node);

  return (
    <Page
      title="Map"
      lead={
        <>
          Our nodes and the links between them. Choose a node, on the map or in the list below it, to see
          where it is and which of its links are up. <LastKnown at={knownAt} />
        </>
      }
    >
      {query.isError && (
        <Notice tone="warning" onRetry={() => void query.refetch()} retrying={query.isFetching}>
          The state of the links is not known
          {data &&
            `; what is shown was true ${spokenAge((query.errorUpdatedAt - query.dataUpdatedAt) / 1000)}`}
          . {toldBy(query.error)}
        </Notice>
      )}
      <chakra.div display="grid" gridTemplateColumns="minmax(0, 1fr)" gap="5">
        <WorldMap
          links={links}
          outdated={query.isError}
          chosen={chosen}
          onToggle={toggle}
          onClose={() => onChoose(null)}
        />
        <NodeList links={links} outdated={query.isError} chosen={chosen} onToggle={toggle} />
      </chakra.div>
    </Page>
  );
}

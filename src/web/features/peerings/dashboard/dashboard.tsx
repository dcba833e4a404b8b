import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { peeringHistoryQuery } from "#web/api/network/history-queries.ts";
import { peeredNodesQuery } from "#web/api/peering-queries.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { ButtonLink } from "#web/ui/forms/button.tsx";
import { Page } from "#web/ui/layout/page.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { DataAge } from "#web/ui/text/age.tsx";
import { usePeerStatusQuery } from "../peer-status-query.ts";
import { usePrefetchConfigs } from "../prefetch-configs.ts";
import { wizardLink } from "../screen-links.ts";
import { EmptyList } from "./empty-list.tsx";
import { parseState } from "./filter-peerings.ts";
import { FilteredList } from "./filtered-list.tsx";
import { LoadingList } from "./loading-list.tsx";
import { PeeringsSummary } from "./peerings-summary.tsx";
import { parseSort } from "./sort-peerings.ts";

export interface DashboardProps {
  readonly username: string;
  /** The filter of a long list, and the order, as the URL has them: any text. */
  readonly find: string | undefined;
  readonly state: string | undefined;
  readonly sort: string | undefined;
}

export function Dashboard({ username, find = "", state, sort }: DashboardProps) {
  const query = usePeerStatusQuery(username);
  const status = useQuery(query);
  const fetchedAt = useFetchedAt(query.queryKey);
  const { data: history = null } = useQuery(peeringHistoryQuery(username));
  // A slow status waits for routers; the names do not.
  const { data: nodes } = useQuery({ ...peeredNodesQuery(username), enabled: status.isPending });
  usePrefetchConfigs(username, status.data);
  const hasPeerings = status.data !== undefined && status.data.length > 0;
  return (
    <Page
      title="Dashboard"
      lead={
        (status.isPending || hasPeerings) && (
          <chakra.span display="block" minHeight={{ base: "3em", md: "1.5em" }}>
            {hasPeerings && <PeeringsSummary peerings={status.data} />}
          </chakra.span>
        )
      }
      actions={
        <ButtonLink {...wizardLink("new")} tone="primary">
          Create new peering
        </ButtonLink>
      }
    >
      <Panel
        // Another one when the sentence above it may have become longer.
        key={String(status.isPending)}
        title="Current peerings"
        actions={
          status.isPending ? (
            // As high as the age that comes.
            <chakra.div my="-2" fontSize="sm">
              <Loader label="Loading peerings…" />
            </chakra.div>
          ) : (
            <DataAge at={hasPeerings ? status.dataUpdatedAt : null} before="checked " fetchedAt={fetchedAt} />
          )
        }
        flush={status.isPending || hasPeerings}
      >
        {status.isPending && <LoadingList nodes={nodes} hasHistory={history !== null} />}
        {status.isError && (
          <Notice onRetry={() => void status.refetch()} isRetrying={status.isFetching}>
            The status of your peerings could not be loaded. {errorMessage(status.error)}
          </Notice>
        )}
        {hasPeerings && (
          <FilteredList
            username={username}
            peerings={status.data}
            history={history}
            inUrl={{ find, state: parseState(state), sort: parseSort(sort) }}
          />
        )}
        {status.data?.length === 0 && <EmptyList />}
      </Panel>
    </Page>
  );
}

import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PeerStatus } from "../../../contract/entities.ts";
import { toldBy } from "../../api/client.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { peerStatusQuery } from "./peer-status-query.ts";
import { PeeringRow } from "./peering-row.tsx";

export interface DashboardProps {
  readonly username: string;
  /** Stands below the list. */
  readonly children?: ReactNode;
}

export function Dashboard({ username, children }: DashboardProps) {
  const query = peerStatusQuery(username);
  const status = useQuery(query);
  const knownAt = useKnownAt(query.queryKey);
  return (
    <Page
      title="Dashboard"
      actions={
        <ButtonLink to="/manager/updatepeer/$type" params={{ type: "new" }} tone="primary">
          Create new peering
        </ButtonLink>
      }
    >
      <Panel
        title="Current peerings"
        actions={<LastKnown at={knownAt} />}
        flush={status.data !== undefined && status.data.length > 0}
      >
        {status.isPending && <Loader label="Loading peerings…" />}
        {status.isError && (
          <Notice onRetry={() => void status.refetch()} retrying={status.isFetching}>
            The state of your peerings could not be loaded. {toldBy(status.error)}
          </Notice>
        )}
        {status.data && <PeeringList peerings={status.data} />}
      </Panel>
      {children}
    </Page>
  );
}

function PeeringList({ peerings }: { readonly peerings: readonly PeerStatus[] }) {
  if (peerings.length === 0) {
    return (
      <p>
        You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get
        started!
      </p>
    );
  }
  return (
    <chakra.ul>
      {peerings.map((status) => (
        <PeeringRow key={status.node} status={status} />
      ))}
    </chakra.ul>
  );
}

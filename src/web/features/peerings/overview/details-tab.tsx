import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Loader } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { Button } from "#web/ui/forms/button.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { Age, CachedAge } from "#web/ui/text/age.tsx";
import { PlainOutput } from "#web/ui/text/code-block.tsx";
import { CopyButton } from "#web/ui/text/copy-text.tsx";
import { peerDetailsQuery } from "../queries.ts";
import { lastKnownDetailsQuery } from "./last-known-details.ts";

export interface DetailsTabProps {
  readonly username: string;
  readonly node: string;
}

export function DetailsTab({ username, node }: DetailsTabProps) {
  const hostOf = useNodeHost();
  const query = peerDetailsQuery(username, node);
  const { data, error, dataUpdatedAt, isPending, isFetching, refetch } = useQuery(query);
  const { data: lastKnown } = useQuery(lastKnownDetailsQuery(username, node));
  const readAt = useFetchedAt(query.queryKey);
  const output = data ?? lastKnown;
  const fetchedAt = data ? readAt : (lastKnown?.fetchedAt ?? null);
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      {error && (
        <Notice onRetry={() => void refetch()} isRetrying={isFetching}>
          The node's output could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {isPending && !output && <Loader label="Loading output from the node…" />}
      {output && (
        <>
          <chakra.div
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            justifyContent="space-between"
            gap="2"
          >
            <chakra.p color="fg.muted">
              Output from {hostOf(node)},{" "}
              {fetchedAt === null ? <Age at={dataUpdatedAt} /> : <CachedAge fetchedAt={fetchedAt} />}
            </chakra.p>
            <Button size="sm" onClick={() => void refetch()} isPending={isFetching}>
              <RefreshCw size={14} aria-hidden />
              Refresh
            </Button>
          </chakra.div>
          <Output title="Wireguard" text={output.wireguard} />
          <Output title="BGP" text={output.bgp} />
        </>
      )}
    </chakra.div>
  );
}

function Output({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Panel title={title} flush {...(text !== "" && { actions: <CopyButton value={text} /> })}>
      <PlainOutput aria-label={`${title} output`}>{text === "" ? "No output." : text}</PlainOutput>
    </Panel>
  );
}

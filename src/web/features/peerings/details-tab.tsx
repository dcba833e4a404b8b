import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { toldBy } from "../../api/client.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { Age } from "../../ui/age.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-text.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PlainOutput } from "../../ui/plain-output.tsx";
import { peerDetailsQuery } from "./peer-details-query.ts";

export interface DetailsTabProps {
  readonly username: string;
  readonly node: string;
}

export function DetailsTab({ username, node }: DetailsTabProps) {
  const query = peerDetailsQuery(username, node);
  const { data, error, dataUpdatedAt, isPending, isFetching, refetch } = useQuery(query);
  const knownAt = useKnownAt(query.queryKey);
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      {error && (
        <Notice onRetry={() => void refetch()} retrying={isFetching}>
          The node's output could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {isPending && <Loader label="Asking the node…" />}
      {data && (
        <>
          <chakra.div
            display="flex"
            flexWrap="wrap"
            alignItems="center"
            justifyContent="space-between"
            gap="2"
          >
            <chakra.p color="fg.muted">
              Printed by {node} {knownAt === null ? <Age at={dataUpdatedAt} /> : <LastKnown at={knownAt} />}
            </chakra.p>
            <Button size="sm" onClick={() => void refetch()} pending={isFetching}>
              <RefreshCw size={14} aria-hidden />
              Refresh
            </Button>
          </chakra.div>
          <Output title="Wireguard" text={data.wireguard} />
          <Output title="BGP" text={data.bgp} />
        </>
      )}
    </chakra.div>
  );
}

function Output({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Panel title={title} flush {...(text !== "" && { actions: <CopyButton value={text} /> })}>
      <PlainOutput aria-label={`${title} output`}>{text === "" ? "Nothing was printed." : text}</PlainOutput>
    </Panel>
  );
}

import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { Age } from "../../ui/age.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { Legend } from "./legend.tsx";
import { NodeHistoryPanel } from "./node-history-panel.tsx";
import { nodeHistoryQuery } from "./node-history-query.ts";
import { describeNodes } from "./nodes-now.ts";

/** The server's own uptime monitor: every node now, over 24 hours and over 90 days. */
export function NodesHistory() {
  const { nodes, domain } = useProvider();
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery(nodeHistoryQuery());
  const knownAt = useKnownAt(nodeHistoryQuery().queryKey);
  const failure = error && (
    <Notice tone="warning" onRetry={() => void refetch()} retrying={isFetching}>
      {data
        ? "This could not be refreshed; what stands below is the last that is known."
        : "The state of the nodes could not be loaded."}{" "}
      {toldBy(error)}
    </Notice>
  );
  if (failure && !data) return failure;
  return (
    <>
      {failure}
      <chakra.div display="grid" gap="2">
        <chakra.div
          display="flex"
          flexWrap="wrap"
          justifyContent="space-between"
          alignItems="baseline"
          columnGap="4"
        >
          <chakra.p role="status" fontSize="lg" fontWeight="medium">
            {data ? (
              describeNodes(data)
            ) : (
              <>
                <VisuallyHidden>Loading the state of the nodes…</VisuallyHidden>
                <Skeleton width="11rem" height="1.5em" />
              </>
            )}
          </chakra.p>
          <chakra.p fontSize="sm" color="fg.muted" minHeight="1.5em">
            {data && knownAt === null && <Age at={dataUpdatedAt} before="as of " />}
            <LastKnown at={knownAt} />
          </chakra.p>
        </chakra.div>
        <Legend />
      </chakra.div>
      <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)" aria-busy={!data}>
        {nodes.map(({ name, place }) => {
          const history = data?.find(({ node }) => node === name) ?? null;
          // A node that came into the profile after the answer has no history to wait for.
          if (data && !history) return null;
          return <NodeHistoryPanel key={name} host={`${name}.${domain}`} place={place} history={history} />;
        })}
      </chakra.div>
    </>
  );
}

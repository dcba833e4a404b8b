import { useQuery } from "@tanstack/react-query";
import { bubbleClass } from "../../../domain/health.ts";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { useKnownAt } from "../../offline/known-at.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { LastKnown } from "../../ui/last-known.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { VisuallyHidden } from "../../ui/visually-hidden.tsx";
import { HealthBubble } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";
import { nodeStatusQuery } from "./node-status-query.ts";

export interface NodeCardProps {
  readonly username: string;
  readonly node: string;
}

export function NodeCard({ username, node }: NodeCardProps) {
  const { domain } = useProvider();
  const query = nodeStatusQuery(username, node);
  const { data, error, isPending, isFetching, refetch } = useQuery(query);
  const knownAt = useKnownAt(query.queryKey);
  return (
    <Panel title="Node" actions={<LastKnown at={knownAt} />}>
      {error && (
        <Notice onRetry={() => void refetch()} retrying={isFetching}>
          The node's state could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {isPending && (
        <>
          <VisuallyHidden role="status">Loading the node's state…</VisuallyHidden>
          <KeyValueList
            narrow
            beside
            items={["Status", "Hostname", "Uptime", "Load"].map((label) => ({
              label,
              value: <Skeleton width="8rem" height="1.5em" />,
            }))}
          />
        </>
      )}
      {data && (
        <>
          <KeyValueList
            narrow
            beside
            items={[
              { label: "Status", value: <HealthBubble status={data.status} /> },
              { label: "Hostname", value: <CopyText value={`${node}.${domain}`} label="hostname" /> },
              { label: "Uptime", value: data.uptime || "unknown" },
              { label: "Load", value: data.load || "unknown" },
            ]}
          />
          <IssueList issues={data.issues} state={bubbleClass(data.status)} />
        </>
      )}
    </Panel>
  );
}

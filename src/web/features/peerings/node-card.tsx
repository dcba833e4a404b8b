import { useQuery } from "@tanstack/react-query";
import { toldBy } from "../../api/client.ts";
import { useProvider } from "../../api/provider.ts";
import { CopyText } from "../../ui/copy-text.tsx";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";
import { nodeStatusQuery } from "./node-status-query.ts";

export interface NodeCardProps {
  readonly username: string;
  readonly node: string;
}

export function NodeCard({ username, node }: NodeCardProps) {
  const { domain } = useProvider();
  const { data, error, isPending, isFetching, refetch } = useQuery(nodeStatusQuery(username, node));
  return (
    <Panel title="Node">
      {error && (
        <Notice onRetry={() => void refetch()} retrying={isFetching}>
          The node's state could not be loaded. {toldBy(error)}
        </Notice>
      )}
      {isPending && <Loader label="Loading the node's state…" />}
      {data && (
        <>
          <KeyValueList
            narrow
            items={[
              { label: "Status", value: <HealthBubble status={data.status} /> },
              { label: "Hostname", value: <CopyText value={`${node}.${domain}`} label="hostname" /> },
              { label: "Uptime", value: data.uptime || "unknown" },
              { label: "Load", value: data.load || "unknown" },
            ]}
          />
          <IssueList issues={data.issues} />
        </>
      )}
    </Panel>
  );
}

import { isEstablished } from "#domain/peering/peering-path.ts";
import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { PeerStatus } from "#contract/lenient.ts";
import { tunnelHealth } from "#domain/findings/peering-health.ts";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Skeleton } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { bubbleState, unknownWord } from "#web/ui/feedback/status-bubble.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { CachedAge } from "#web/ui/text/age.tsx";
import { CopyText } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { latencyText } from "../describe-latency.ts";
import { useHandshakeAge } from "./handshake-age.ts";
import { HealthBubble } from "../health-bubble.tsx";
import { LatencyPlot, NodePlot, UptimePlot } from "./card-plots.tsx";
import { IssueList, otherIssues, otherNodeIssues } from "./issue-list.tsx";
import { NoteList, otherNotes } from "./note-list.tsx";
import { PeeringLanes } from "./peering-lanes.tsx";
import { NoWrap, SessionState } from "./session-state.tsx";
import { nodeStatusQuery } from "../queries.ts";
import { issuesId } from "../issues-link.ts";

export interface StatusTabProps {
  readonly username: string;
  readonly status: PeerStatus;
}

interface CardProps extends StatusTabProps {
  /** The texts of the node's card. */
  readonly nodeIssues: readonly string[];
}

export function StatusTab({ username, status }: StatusTabProps) {
  const { data } = useQuery(nodeStatusQuery(username, status.node));
  const card = { username, status, nodeIssues: data?.issues ?? [] };
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      <PeeringLanes username={username} status={status} />
      <chakra.div
        display="grid"
        gap="4"
        alignItems="start"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(3, minmax(0, 1fr))" }}
      >
        <NodeCard username={username} status={status} />
        <WireguardCard {...card} />
        <BgpCard {...card} />
      </chakra.div>
    </chakra.div>
  );
}

function NodeCard({ username, status }: StatusTabProps) {
  const { node } = status;
  const host = useNodeHost()(node);
  const query = nodeStatusQuery(username, node);
  const { data, error, isPending, isFetching, refetch } = useQuery(query);
  const fetchedAt = useFetchedAt(query.queryKey);
  const hostname = <CopyText value={host} label="hostname" />;
  const health = (data?.known === true && data.status) || unknownWord;
  return (
    <Panel title="Node" actions={<CachedAge fetchedAt={fetchedAt} />}>
      {error && (
        <Notice onRetry={() => void refetch()} isRetrying={isFetching}>
          The node's status could not be loaded. {errorMessage(error)}
        </Notice>
      )}
      {isPending && (
        <>
          <VisuallyHidden role="status">Loading the node's status…</VisuallyHidden>
          <KeyValueList
            narrow
            inline
            items={["Status", "Hostname", "Uptime", "Load"].map((label) => ({
              label,
              value: label === "Hostname" ? hostname : <Skeleton width="8rem" height="1.5em" />,
            }))}
          />
        </>
      )}
      {data && (
        <>
          <KeyValueList
            narrow
            inline
            items={[
              { label: "Status", value: <HealthBubble status={health} /> },
              { label: "Hostname", value: hostname },
              { label: "Uptime", value: data.uptime || "unknown" },
              { label: "Load", value: data.load || "unknown" },
            ]}
          />
          <IssueList
            username={username}
            node={node}
            issues={otherNodeIssues(status, data.issues)}
            state={bubbleState(health)}
          />
        </>
      )}
      <NodePlot node={node} />
    </Panel>
  );
}

function WireguardCard({ username, status, nodeIssues }: CardProps) {
  const { known } = status;
  const { state, rx, tx, endpoint = "" } = status.wg_status;
  const handshake = useHandshakeAge(username, status);
  const up = state === "Up";
  const health = known ? tunnelHealth(status) : unknownWord;
  return (
    <Panel title="Wireguard">
      <KeyValueList
        narrow
        inline
        items={[
          { label: "Status", value: <HealthBubble status={health} /> },
          { label: "Tunnel status", value: known ? (up ? "Up ✅" : "Down ❌") : unknownWord },
          ...(handshake === undefined
            ? []
            : [{ label: "Last handshake", value: handshake || (known ? "none yet" : "unknown") }]),
          ...(endpoint === ""
            ? []
            : [{ label: "Endpoint in use", value: <CopyText value={endpoint} label="endpoint in use" /> }]),
          { label: "Traffic at node", value: known ? <Traffic rx={rx} tx={tx} /> : "unknown" },
          { label: "Latency", value: latencyText(status) },
        ]}
      />
      <IssueList
        id={issuesId("wireguard")}
        username={username}
        node={status.node}
        issues={otherIssues(status, "wireguard", nodeIssues)}
        state={bubbleState(health)}
      />
      <NoteList username={username} node={status.node} notes={otherNotes(status, "wireguard")} />
      <LatencyPlot username={username} node={status.node} />
    </Panel>
  );
}

/** Wraps between the two numbers, never between a number and its unit. */
function Traffic({ rx, tx }: Pick<PeerStatus["wg_status"], "rx" | "tx">) {
  return (
    <>
      <NoWrap>{rx} received,</NoWrap> <NoWrap>{tx} transmitted</NoWrap>
    </>
  );
}

function BgpCard({ username, status, nodeIssues }: CardProps) {
  const { known } = status;
  const established = isPeeringEstablished(status);
  return (
    <Panel title="BGP">
      <KeyValueList
        narrow
        inline
        items={[
          { label: "Status", value: <HealthBubble status={known ? status.bgp_status : unknownWord} /> },
          {
            label: "Session state",
            value: known ? (established ? "Established ✅" : "Down ❌") : unknownWord,
          },
          ...(status.sessions ?? []).map((session) => ({
            label: session.families.join(" and "),
            value: <SessionState session={session} />,
          })),
        ]}
      />
      <IssueList
        id={issuesId("bgp")}
        username={username}
        node={status.node}
        issues={otherIssues(status, "bgp", nodeIssues)}
        state={bubbleState(known ? status.bgp_status : unknownWord)}
      />
      <NoteList username={username} node={status.node} notes={otherNotes(status, "bgp")} />
      <UptimePlot username={username} node={status.node} />
    </Panel>
  );
}

/** A server that reports no sessions still has a word for all of them. */
function isPeeringEstablished({ sessions = [], bgp_status }: PeerStatus): boolean {
  if (sessions.length === 0) return bgp_status === "OK" || bgp_status === "Issues";
  return sessions.every(isEstablished);
}

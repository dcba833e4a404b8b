import { chakra } from "@chakra-ui/react/styled-system";
import { useQuery } from "@tanstack/react-query";
import type { PeerStatus } from "#contract/lenient.ts";
import { type Issue, issuesOf, notesOf } from "#domain/findings/status-findings.ts";
import { tunnelHealth } from "#domain/findings/peering-health.ts";
import { errorMessage } from "#web/api/client.ts";
import { useFetchedAt } from "#web/api/fetched-at.ts";
import { useNodeHost } from "#web/api/provider.ts";
import { Skeleton } from "#web/ui/feedback/loading.tsx";
import { Notice } from "#web/ui/feedback/notice.tsx";
import { bubbleState, type BubbleState, unknownWord } from "#web/ui/feedback/status-bubble.tsx";
import { Panel } from "#web/ui/layout/panel.tsx";
import { CachedAge } from "#web/ui/text/age.tsx";
import { CopyText } from "#web/ui/text/copy-text.tsx";
import { KeyValueList } from "#web/ui/text/key-value-list.tsx";
import { VisuallyHidden } from "#web/ui/text/visually-hidden.tsx";
import { latencyText } from "../describe-latency.ts";
import { useHandshakeAge } from "./handshake-age.ts";
import { HealthBubble } from "../health-bubble.tsx";
import { PeeringIssue } from "../peering-issue.tsx";
import { LatencyPlot, NodePlot, UptimePlot } from "./card-plots.tsx";
import { NoteList } from "./note-list.tsx";
import { PeeringLanes } from "./peering-lanes.tsx";
import { isEstablished, NoWrap, SessionState } from "./session-state.tsx";
import { nodeStatusQuery } from "../queries.ts";
import { issuesId } from "../issues-link.ts";

export interface StatusTabProps {
  readonly username: string;
  readonly status: PeerStatus;
}

export function StatusTab({ username, status }: StatusTabProps) {
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns="minmax(0, 1fr)">
      <PeeringLanes username={username} status={status} />
      <chakra.div
        display="grid"
        gap="4"
        alignItems="start"
        gridTemplateColumns={{ base: "minmax(0, 1fr)", xl: "repeat(3, minmax(0, 1fr))" }}
      >
        <NodeCard username={username} node={status.node} />
        <WireguardCard username={username} status={status} />
        <BgpCard username={username} status={status} />
      </chakra.div>
    </chakra.div>
  );
}

interface NodeCardProps {
  readonly username: string;
  readonly node: string;
}

function NodeCard({ username, node }: NodeCardProps) {
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
          <IssueList node={node} issues={data.issues.map(toIssue)} state={bubbleState(health)} />
        </>
      )}
      <NodePlot node={node} />
    </Panel>
  );
}

function WireguardCard({ username, status }: StatusTabProps) {
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
        node={status.node}
        issues={issuesOf(status, "wireguard")}
        state={bubbleState(health)}
      />
      <NoteList username={username} node={status.node} notes={notesOf(status, "wireguard")} />
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

function BgpCard({ username, status }: StatusTabProps) {
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
        node={status.node}
        issues={bgpIssuesOf(status)}
        state={bubbleState(known ? status.bgp_status : unknownWord)}
      />
      <NoteList username={username} node={status.node} notes={notesOf(status, "bgp")} />
      <UptimePlot username={username} node={status.node} />
    </Panel>
  );
}

/**
 * A node that cannot be reached reports no sessions. The node and tunnel cards then show the reason. Another server may
 * know no sessions at all, which is no issue.
 */
function bgpIssuesOf(status: PeerStatus): readonly Issue[] {
  const issues = issuesOf(status, "bgp");
  if (status.bgp_status === "OK" || issues.length > 0 || status.sessions?.length !== 0) return issues;
  return [toIssue("No session data. See the node and tunnel issues.")];
}

function toIssue(text: string): Issue {
  return { text, finding: null };
}

/** A server that reports no sessions still has a word for all of them. */
function isPeeringEstablished({ sessions = [], bgp_status }: PeerStatus): boolean {
  if (sessions.length === 0) return bgp_status === "OK" || bgp_status === "Issues";
  return sessions.every(isEstablished);
}

interface IssueListProps {
  /** For links to it. */
  readonly id?: string;
  readonly node: string;
  readonly issues: readonly Issue[];
  /** The status of the part that has the issues; sets their colour. */
  readonly state?: BubbleState;
}

/** Issues, styled as one more row below a `KeyValueList`. */
function IssueList({ id, node, issues, state = "issues" }: IssueListProps) {
  if (issues.length === 0) return null;
  return (
    <chakra.div id={id} mt="2" pt="2" borderTopWidth="1px">
      <chakra.h4 color="fg.muted">Issues</chakra.h4>
      <chakra.ul mt="1" display="grid" gap="1.5">
        {issues.map((issue) => (
          <chakra.li
            key={issue.text}
            ps="2.5"
            borderInlineStartWidth="2px"
            borderColor={state}
            overflowWrap="anywhere"
          >
            <PeeringIssue node={node} issue={issue} />
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}

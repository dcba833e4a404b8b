import { useQuery } from "@tanstack/react-query";
import type { PeerStatus } from "#contract/lenient.ts";
import { explainFinding, type Finding, rowOf, shortSentence } from "#domain/findings/findings.ts";
import { findingsOf, isAwaited, issuesOf } from "#domain/findings/status-findings.ts";
import { isEstablished, pathOf, type PathSegment, pathSegments } from "#domain/peering/peering-path.ts";
import { useFetchedAt } from "../../api/fetched-at.ts";
import { Loader } from "../../ui/feedback/loading.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Ladder } from "../../ui/plots/ladder.tsx";
import { DataAge } from "../../ui/text/age.tsx";
import { routesText } from "./describe-routes.ts";
import { FixDetails } from "./fix/fix-details.tsx";
import { FixToggle, useFix } from "./fix/fix-toggle.tsx";
import { usePeerStatusQuery } from "./peer-status-query.ts";
import { RefusedRoutesLink } from "./fix/refused-routes-link.tsx";

export interface PeeringLadderProps {
  readonly username: string;
  readonly node: string;
}

/** How far a peering gets, live: its four segments, with what to do about the first one that is broken. */
export function PeeringLadder({ username, node }: PeeringLadderProps) {
  const query = usePeerStatusQuery(username);
  const { data, dataUpdatedAt } = useQuery(query);
  const fetchedAt = useFetchedAt(query.queryKey);
  const status = data?.find((each) => each.node === node);
  return (
    <Panel
      title="Is it up?"
      actions={<DataAge at={status ? dataUpdatedAt : null} before="checked " fetchedAt={fetchedAt} />}
    >
      {status ? (
        <Ladder rungs={rungsOf(status, username)} />
      ) : (
        <Loader label="Waiting for the first status…" />
      )}
    </Panel>
  );
}

const labels: Readonly<Record<PathSegment, string>> = {
  Endpoint: "Endpoint resolves",
  Tunnel: "WireGuard handshake",
  Session: "BGP session Established",
  Routes: "Routes accepted",
};

function rungsOf(status: PeerStatus, username: string) {
  const { segments, finding } = pathOf(status);
  const firstFault = segments.find(({ state }) => state === "broken" || state === "degraded");
  const named = finding && isAwaited(finding) ? segmentOf(finding) : firstFault?.name;
  return segments.map(({ name, state, notes }) => ({
    label: name === "Endpoint" ? endpointLabel(status) : labels[name],
    state,
    notes,
    fact: factOf[name](status),
    finding: name === named ? <RungFinding status={status} username={username} /> : undefined,
  }));
}

const segmentOf = (finding: Finding) =>
  pathSegments.find((name) => name.toLowerCase() === rowOf(finding).segment);

/** What the first segment that is not good needs. The screen has the whole configuration beside it. */
function RungFinding({ status, username }: { readonly status: PeerStatus; readonly username: string }) {
  const { sentence, finding } = pathOf(status);
  const waits = finding !== null && isAwaited(finding);
  const fix = useFix(waits ? null : finding);
  const { node } = status;
  const [text] = [...issuesOf(status, "wireguard"), ...issuesOf(status, "bgp")];
  return (
    <>
      <strong>{sentence}.</strong> {waits && explainFinding(finding)}
      {finding !== null && rowOf(finding).segment === "routes" && <RefusedRoutesLink node={node} />}
      {text?.finding === null && text.text}
      {fix && (
        <>
          <FixToggle fix={fix} />
          <FixDetails fix={fix} username={username} node={node} hasConfig />
        </>
      )}
    </>
  );
}

/** A router that connects to the node has no endpoint. */
function endpointLabel(status: PeerStatus): string {
  const note = findingsOf(status).find(({ code }) => code === "no-endpoint");
  return note ? shortSentence(note) : labels.Endpoint;
}

const factOf: Readonly<Record<PathSegment, (status: PeerStatus) => string>> = {
  Endpoint: () => "",
  Tunnel: ({ wg_status }) => wg_status.handshake ?? "",
  Session: ({ sessions = [] }) => {
    const up = sessions.filter(isEstablished).length;
    return sessions.length > 1 ? `${up} of ${sessions.length}` : "";
  },
  Routes: (status) => routesText(status) ?? "",
};

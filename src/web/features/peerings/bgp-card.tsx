import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { bubbleClass } from "../../../domain/health.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";

type Session = PeerStatus["sessions"][number];

export function BgpCard({ status }: { readonly status: PeerStatus }) {
  const { known } = status;
  const established = status.sessions.length > 0 && status.sessions.every(isEstablished);
  return (
    <Panel title="BGP">
      <KeyValueList
        narrow
        beside
        items={[
          { label: "Status", value: <HealthBubble status={known ? status.bgp_status : unknownHealth} /> },
          {
            label: "Session state",
            value: known ? (established ? "Established ✅" : "Down ❌") : unknownHealth,
          },
          ...status.sessions.map((session) => ({
            label: session.families.join(" and "),
            value: <SessionState session={session} />,
          })),
        ]}
      />
      <IssueList issues={issuesOf(status)} state={bubbleClass(known ? status.bgp_status : unknownHealth)} />
    </Panel>
  );
}

/** The state of one session in BIRD's own words, and why it is not Established. */
function SessionState({ session }: { readonly session: Session }) {
  return (
    <>
      <chakra.span fontFamily="mono" fontSize="sm">
        {session.state}
      </chakra.span>
      {session.detail !== "" && (
        <chakra.span display="block" fontFamily="mono" fontSize="sm" color="fg.muted">
          {session.detail}
        </chakra.span>
      )}
    </>
  );
}

/** A node that cannot be reached says nothing of its sessions; then the reason stands in the cards beside. */
function issuesOf({ bgp_status, bgp_issues, sessions }: PeerStatus): readonly string[] {
  if (bgp_status === "OK" || bgp_issues.length > 0 || sessions.length > 0) return bgp_issues;
  return ["No session is reported. The issues of node and tunnel say why."];
}

function isEstablished({ state }: Session): boolean {
  return state === "Established";
}

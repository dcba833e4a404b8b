import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";

type Session = PeerStatus["sessions"][number];

export function BgpCard({ status }: { readonly status: PeerStatus }) {
  const established = status.sessions.length > 0 && status.sessions.every(isEstablished);
  const telling = established && status.sessions.length === 1 ? [] : status.sessions;
  return (
    <Panel title="BGP">
      <KeyValueList
        narrow
        items={[
          { label: "Status", value: <HealthBubble status={status.bgp_status} /> },
          { label: "Session state", value: established ? "Established ✅" : "Down ❌" },
          ...telling.map((session) => ({
            label: session.families.join(" and "),
            value: <SessionState session={session} />,
          })),
        ]}
      />
      <IssueList issues={status.bgp_issues} />
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

function isEstablished({ state }: Session): boolean {
  return state === "Established";
}

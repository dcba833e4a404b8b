import type { PeerStatus } from "../../../contract/entities.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";

export function WireguardCard({ status }: { readonly status: PeerStatus }) {
  const { known } = status;
  const { state, issues, rx, tx, handshake } = status.wg_status;
  const up = state === "Up";
  return (
    <Panel title="Wireguard">
      <KeyValueList
        narrow
        items={[
          {
            label: "Status",
            value: <HealthBubble status={known ? tunnelHealth(up, issues) : unknownHealth} />,
          },
          { label: "Tunnel status", value: known ? (up ? "Up ✅" : "Down ❌") : unknownHealth },
          { label: "Last handshake", value: handshake || (known ? "none yet" : "unknown") },
          { label: "Traffic at node", value: known ? `${rx} received, ${tx} transmitted` : "unknown" },
          { label: "Latency", value: status.latency || "unknown" },
        ]}
      />
      <IssueList issues={issues} />
    </Panel>
  );
}

function tunnelHealth(up: boolean, issues: readonly string[]): string {
  if (!up) return "Down";
  return issues.length > 0 ? "Issues" : "OK";
}

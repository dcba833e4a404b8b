import type { PeerStatus } from "../../../contract/entities.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";

export function WireguardCard({ status }: { readonly status: PeerStatus }) {
  const { state, issues, rx, tx } = status.wg_status;
  const up = state === "Up";
  return (
    <Panel title="Wireguard">
      <KeyValueList
        narrow
        items={[
          { label: "Status", value: <HealthBubble status={tunnelHealth(up, issues)} /> },
          { label: "Tunnel status", value: up ? "Up ✅" : "Down ❌" },
          { label: "Traffic at node", value: `${rx} received, ${tx} transmitted` },
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

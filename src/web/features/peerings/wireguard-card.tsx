import { chakra } from "@chakra-ui/react/styled-system";
import type { PeerStatus } from "../../../contract/entities.ts";
import { bubbleClass } from "../../../domain/health.ts";
import { KeyValueList } from "../../ui/key-value-list.tsx";
import { Panel } from "../../ui/panel.tsx";
import { HealthBubble, unknownHealth } from "./health-bubble.tsx";
import { IssueList } from "./issue-list.tsx";

export function WireguardCard({ status }: { readonly status: PeerStatus }) {
  const { known } = status;
  const { state, issues, rx, tx, handshake } = status.wg_status;
  const up = state === "Up";
  const health = known ? tunnelHealth(up, issues) : unknownHealth;
  return (
    <Panel title="Wireguard">
      <KeyValueList
        narrow
        beside
        items={[
          { label: "Status", value: <HealthBubble status={health} /> },
          { label: "Tunnel status", value: known ? (up ? "Up ✅" : "Down ❌") : unknownHealth },
          { label: "Last handshake", value: handshake || (known ? "none yet" : "unknown") },
          { label: "Traffic at node", value: known ? <Traffic rx={rx} tx={tx} /> : "unknown" },
          { label: "Latency", value: status.latency || "unknown" },
        ]}
      />
      <IssueList issues={issues} state={bubbleClass(health)} />
    </Panel>
  );
}

/** Breaks between the two numbers, never between a number and its unit. */
function Traffic({ rx, tx }: Pick<PeerStatus["wg_status"], "rx" | "tx">) {
  return (
    <>
      <Unbroken>{rx} received,</Unbroken> <Unbroken>{tx} transmitted</Unbroken>
    </>
  );
}

const Unbroken = chakra("span", { base: { whiteSpace: "nowrap" } });

function tunnelHealth(up: boolean, issues: readonly string[]): string {
  if (!up) return "Down";
  return issues.length > 0 ? "Issues" : "OK";
}

import { chakra } from "@chakra-ui/react/styled-system";
import type { SegmentState } from "../../src/domain/peering/peering-path.ts";
import { Button } from "../../src/web/ui/forms/button.tsx";
import { Panel } from "../../src/web/ui/layout/panel.tsx";
import { Ladder, type Rung } from "../../src/web/ui/plots/ladder.tsx";
import { PathLanes, type PathLane } from "../../src/web/ui/plots/path-lanes.tsx";

const yourRouter = {
  title: "Your router",
  name: "AS4242420001",
  facts: ["router.example.org:20227", "fe80::1 · 172.20.1.1"],
} as const;
const node = {
  title: "Node in Frankfurt, Germany",
  name: "de01 · AS4242422227",
  facts: ["203.0.113.9:20001", "fe80::2227 · 172.20.53.1"],
} as const;
const farNode = {
  title: "گره در تهران، ایران",
  name: "twenty-letters-01-ab · AS4242422227",
  facts: ["twenty-letters-01-ab.peering.example.net:20001", "fd42:4242:2227:1234:5678:9abc:def0:1234"],
} as const;

const lanes = (tunnel: SegmentState, bgp: SegmentState): readonly PathLane[] => [
  { name: "WireGuard", state: tunnel, facts: ["handshake 13 s ago", "14.1 ms", "MTU 1420"] },
  {
    name: "Multiprotocol BGP",
    state: bgp,
    facts: ["Established for 12 d 4 h"],
    note: "20 routes from you, 18 refused · 1043 routes to you",
  },
];

const downLanes: readonly PathLane[] = [
  {
    name: "WireGuard",
    state: "broken",
    facts: ["no handshake for 3 h", "MTU 1420"],
    note: "12 packets received",
  },
  { name: "Multiprotocol BGP", state: "not reached", facts: [] },
];

const rungs: readonly Rung[] = [
  { label: "Endpoint resolves", state: "good", fact: "198.51.100.7" },
  { label: "Your packets reach de01", state: "degraded", fact: "4 in 8 s" },
  {
    label: "Handshake",
    state: "broken",
    finding: (
      <>
        <chakra.p fontWeight="semibold">No handshake with your router yet.</chakra.p>
        <chakra.p color="fg.muted" mb="2">
          Copy the configuration to your router and start the tunnel.
        </chakra.p>
        <Button size="sm">Copy</Button>
      </>
    ),
  },
  { label: "Tunnel carries packets", state: "not reached" },
  { label: "BGP session Established", state: "broken", finding: "A second finding." },
  { label: "Return path", state: "unknown" },
];

export function LaddersAndLanes() {
  return (
    <>
      <Panel title="PathLanes">
        <PathLanes left={yourRouter} right={node} lanes={lanes("good", "degraded")} />
      </Panel>
      <Panel title="PathLanes, broken, long names">
        <PathLanes left={yourRouter} right={farNode} lanes={downLanes} />
      </Panel>
      <Panel title="PathLanes, unknown">
        <PathLanes
          left={yourRouter}
          right={node}
          lanes={[
            { name: "WireGuard", state: "unknown", facts: [] },
            { name: "BGP", state: "unknown", facts: ["no data for 6 min"] },
          ]}
        />
      </Panel>
      <Panel title="Ladder">
        <Ladder rungs={rungs} />
      </Panel>
    </>
  );
}

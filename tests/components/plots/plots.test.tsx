/** What strips, plots and the ladder say to a reader who sees neither colours nor shapes. */
import { cleanup, render, screen, within } from "@testing-library/react";
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import type { ReactElement } from "react";
import { afterEach, expect, it } from "vitest";
import { pathSegments, type SegmentState } from "#domain/peering/peering-path.ts";
import { Ladder } from "#web/ui/plots/ladder.tsx";
import type { NodeTableRow } from "#domain/plot.ts";
import { NodeTable } from "#web/ui/plots/node-table.tsx";
import { PathLanes } from "#web/ui/plots/path-lanes.tsx";
import { Spark } from "#web/ui/plots/spark.tsx";
import { createAppSystem } from "#web/ui/theme/system.ts";
import { parentOf } from "../../support/parent-of.ts";

afterEach(cleanup);

const system = createAppSystem();
const show = (element: ReactElement) => render(<ChakraProvider value={system}>{element}</ChakraProvider>);
const states: readonly SegmentState[] = ["good", "degraded", "broken", "not reached"];
const segments = pathSegments.map((name, index) => ({ name, state: states[index] ?? "unknown" }));

it("a ladder says the state of each rung, and shows the finding", () => {
  const rungs = segments.map(({ name, state }) => ({
    label: name,
    state,
    finding: state === "broken" ? "Your router refuses BGP connections." : undefined,
  }));
  show(<Ladder rungs={rungs} />);
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "✓Endpoint: good",
    "!Tunnel: degraded",
    "!Session: brokenYour router refuses BGP connections.",
    "·Routes: not reached",
  ]);
});

it("lanes say their state and their facts", () => {
  const end = { title: "Your router", name: "AS4242420001", facts: ["fe80::1"] };
  const lanes = [{ name: "WireGuard", state: "broken", facts: ["no handshake yet"] }] as const;
  show(<PathLanes left={end} right={{ ...end, title: "Node" }} lanes={lanes} />);
  expect(parentOf(screen.getByText(/^WireGuard/)).textContent).toBe("WireGuard · no handshake yet, broken");
});

it("a spark has its text, and a line for each run of values", () => {
  show(<Spark values={[1, 2, null, 3]} label="Latency, last 24 hours: 1 to 3 ms" />);
  expect(
    screen.getByRole("img", { name: "Latency, last 24 hours: 1 to 3 ms" }).querySelectorAll(".line"),
  ).toHaveLength(2);
});

const row: NodeTableRow = {
  name: "syd01",
  domainSuffix: ".example.net",
  place: "Sydney, Australia",
  state: "OK",
  shares: [1, 1],
  from: 0,
  uptime: 0.9998,
  peerings: 41,
  capacity: 60,
  newPeers: "open",
};

it("a table of nodes leaves out the columns that no node has", () => {
  show(<NodeTable rows={[row, { ...row, name: "za01", uptime: null, peerings: null }]} />);
  const heads = screen.getAllByRole("columnheader");
  expect(heads.map(({ textContent }) => textContent)).toEqual([
    "Node",
    "State",
    "Last 24 hours",
    "Responding, 90 days",
    "Peerings",
    "New peers",
  ]);
  const [, , second] = screen.getAllByRole("row");
  expect(
    second &&
      within(second)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
  ).toEqual(["za01.example.netSydney, Australia", "OK", expect.stringMatching(/^Up 100%/), "–", "–", "open"]);
});

it("a table of a server without a history has the nodes alone", () => {
  const unknown = { state: null, shares: null, uptime: null, peerings: null, capacity: null, newPeers: null };
  show(<NodeTable rows={[{ ...row, ...unknown }]} />);
  expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["Node"]);
});

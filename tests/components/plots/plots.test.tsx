/** What strips, plots and the ladder say to a reader who sees neither colours nor shapes. */
import { cleanup, render, screen, within } from "@testing-library/react";
import { ChakraProvider } from "@chakra-ui/react/styled-system";
import userEvent from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, expect, it } from "vitest";
import { pathSegments, type SegmentState } from "#domain/peering/peering-path.ts";
import { Ladder } from "#web/ui/plots/ladder.tsx";
import type { NodeTableRow } from "#domain/plot.ts";
import { NodeTable } from "#web/ui/plots/node-table.tsx";
import { PathLanes } from "#web/ui/plots/path-lanes.tsx";
import { SmallPlot } from "#web/ui/plots/small-plot.tsx";
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

it("a spark has its text, a line for each run of values, and each value with its time by arrow keys", async () => {
  const from = new Date("2026-03-14T14:00").getTime();
  const label = "Latency, last 24 hours: 1 to 3 ms";
  show(<SmallPlot values={[1, 2.04, null, 3]} from={from} unit=" ms" label={label} />);
  const spark = await screen.findByRole("slider", { name: label });
  expect(spark.querySelectorAll(".line")).toHaveLength(2);
  const user = userEvent.setup();
  const read = async (keys: string) => {
    await user.keyboard(keys);
    const text = spark.getAttribute("aria-valuetext") ?? "";
    // Sighted readers have it above the plot.
    expect(within(spark).getByText(text)).toBeTruthy();
    return text;
  };
  await user.tab();
  expect(document.activeElement).toBe(spark);
  expect(await read("{ArrowRight}")).toBe("15:30 to 16:00: 3 ms");
  expect(await read("{ArrowLeft}")).toBe("15:00 to 15:30: no data");
  expect(await read("{ArrowLeft}")).toBe("14:30 to 15:00: 2 ms");
  expect(await read("{Home}{ArrowLeft}")).toBe("14:00 to 14:30: 1 ms");
  await user.tab();
  expect(spark.textContent).toBe("");
});

it("a strip says for each half hour whether it was up", async () => {
  show(<SmallPlot values={[1, 0.45, 0, null]} from={new Date("2026-03-14T23:00").getTime()} label="Up" />);
  const strip = await screen.findByRole("slider", {
    name: /^Up: Up 48\.33% of the last 24 hours, down once between/,
  });
  const user = userEvent.setup();
  await user.tab();
  const texts = [strip.getAttribute("aria-valuetext")];
  for (const key of ["{ArrowLeft}", "{ArrowLeft}", "{ArrowLeft}"]) {
    await user.keyboard(key);
    texts.push(strip.getAttribute("aria-valuetext"));
  }
  expect(texts).toEqual([
    "00:30 to 01:00: no data",
    "00:00 to 00:30: down",
    "23:30 to 00:00: 45.00% up",
    "23:00 to 23:30: 100% up",
  ]);
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

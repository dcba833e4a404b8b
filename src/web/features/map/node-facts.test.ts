import { describe, expect, test } from "vitest";
import type { NetworkSummary, NodeSummary } from "#contract/history.ts";
import { latencyBetween } from "../../api/network/latency-between.ts";
import type { NodeTableRow } from "#domain/plot.ts";
import {
  describeLatencies,
  describeNodes,
  formatCpu,
  formatPeers,
  markerState,
  type NodeStates,
  stateReason,
} from "./node-facts.ts";
import type { PlacedNode } from "../../api/provider.ts";
import { linksBetween } from "./node-links.ts";

const place = (name: string): PlacedNode => ({ name, place: "", lat: 0, lon: 0 });
const [a, b, c] = [place("a"), place("b"), place("c")];

const row = (changes: Partial<NodeTableRow> = {}): NodeTableRow => ({
  name: "a",
  domainSuffix: "",
  place: "",
  state: "OK",
  shares: null,
  from: 0,
  uptime: null,
  peerings: null,
  capacity: null,
  newPeers: null,
  ...changes,
});

const node = (now: NodeSummary["now"]): NodeSummary => ({
  node: "a",
  now,
  up: "",
  uptime: null,
  cpu: null,
  peerings: null,
  capacity: null,
});

const summaryOf = (nodes: NodeSummary[], links: NetworkSummary["links"] = []): NetworkSummary => ({
  from: 0,
  nodes,
  links,
});

const statesOf = (
  summary: NodeStates["summary"],
  rows: readonly NodeTableRow[],
  isLoading = false,
): NodeStates => ({
  summary,
  rows,
  isLoading,
});

test.each([
  ["OK", "good"],
  ["Issues", "issues"],
  ["Unknown", "unknown"],
  [null, "unknown"],
] as const)("a node whose row says %s has the marker %s", (state, marker) => {
  expect(markerState("a", statesOf(summaryOf([]), [row({ state })]))).toBe(marker);
});

test("a marker has no state if the server observes no nodes", () => {
  expect(markerState("a", statesOf(null, [row({ state: null })]))).toBeNull();
});

test.each([
  [summaryOf([node("Down")]), false, "The node does not reply."],
  [summaryOf([node(null)]), false, "Not checked in the last five minutes."],
  [summaryOf([node("Issues")]), false, ""],
  [summaryOf([{ ...node("Issues"), problem: "It forwards nothing." }]), false, "It forwards nothing."],
  [summaryOf([]), false, ""],
  [undefined, false, "Its state could not be loaded."],
  [undefined, true, ""],
  [null, false, ""],
])("the reason of an unknown state: %#", (summary, isLoading, reason) => {
  expect(stateReason("a", statesOf(summary, [], isLoading))).toBe(reason);
});

test.each([
  [{}, null],
  [{ peerings: 41 }, "41"],
  [{ peerings: 41, capacity: 60, newPeers: "open" }, "41 of 60"],
  [{ peerings: 60, capacity: 60, newPeers: "full" }, "60 of 60, full"],
  [{ capacity: 60, newPeers: "open" }, null],
  [{ capacity: 60, newPeers: "full" }, "full"],
  [{ peerings: 3, capacity: 0, newPeers: "closed" }, "3, closed to new peerings"],
  [{ capacity: 0, newPeers: "closed" }, "closed to new peerings"],
  [{ peerings: 3, capacity: 60, newPeers: "draining" }, "3, out of service soon"],
] as const)("the peers of %j are %s", (changes, text) => {
  expect(formatPeers(row(changes))).toBe(text);
});

test("CPU usage is rounded", () => {
  expect([formatCpu([8.4, 37.6, ""]), formatCpu([8, 8.2, ""])]).toEqual(["8 to 38%", "8%"]);
});

describe("round trips", () => {
  const links = linksBetween(
    [a, b, c],
    [
      { from: "a", to: "b", status: "up" },
      { from: "c", to: "a", status: "down" },
    ],
  );
  const summary = summaryOf(
    [],
    [
      { from: "b", to: "a", latency: 78.2 },
      { from: "a", to: "c", latency: 153.6 },
    ],
  );

  test("are found in both directions", () => {
    expect([latencyBetween("a", "b", summary), latencyBetween("b", "c", summary)]).toEqual([78.2, undefined]);
  });

  test("are a range, or one number", () => {
    expect([a, b, place("d")].map((each) => describeLatencies(each, links, summary))).toEqual([
      "78 to 154 ms",
      "78 ms",
      null,
    ]);
    expect(describeLatencies(a, links, null)).toBeNull();
  });
});

test.each([
  [["OK", "Issues"], "All 2 nodes are up."],
  [["OK", "Unknown"], "1 of 2 nodes are up."],
  [["OK"], "The node is up."],
  [["Unknown"], "0 of 1 node is up."],
  [[null, null], "2 nodes."],
  [[null], "1 node."],
])("the states %j are described as %j", (states, text) => {
  expect(describeNodes(states.map((state) => row({ state })))).toBe(text);
});

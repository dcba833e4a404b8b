import { expect, test } from "vitest";
import type { PeeringHistories } from "#contract/history.ts";
import type { PeerStatus } from "#contract/lenient.ts";
import { encodeShares } from "#domain/plot.ts";
import { nextSort, sortNodes } from "./sort-peerings.ts";

const routes = (accepted: number) => [
  { family: "IPv4" as const, received: 9, accepted, refused: 0, exported: 1 },
];
const statusOf = (node: string, latency: string, accepted: number | null): PeerStatus => ({
  node,
  known: true,
  bgp_status: "OK",
  wg_status: { state: "Up", issues: [], tx: "", rx: "" },
  latency,
  sessions: [
    {
      name: "s",
      families: ["IPv4"],
      state: "Established",
      detail: "",
      routes: accepted === null ? null : routes(accepted),
    },
  ],
  findings: [],
  deployment: null,
});

/** In the server's order. */
const peerings = [
  statusOf("node10", "9.5 ms", 3),
  statusOf("node2", "", null),
  statusOf("node1", "120.4 ms", 1),
  statusOf("node3", "9.5 ms", 3),
];
const unmeasured = { latency: null, accepted: null, refused: null, traffic: null };
const history: PeeringHistories = {
  from: 0,
  peerings: [
    { node: "node10", up: encodeShares([1, null, 0.5]), ...unmeasured },
    { node: "node1", up: encodeShares([null, null, null]), ...unmeasured },
    { node: "node3", up: encodeShares([1, 1, 0]), ...unmeasured },
  ],
};

test.each([
  ["node", "1 2 3 10"],
  ["-node", "10 3 2 1"],
  ["state", "10 2 1 3"],
  ["latency", "10 3 1 2"],
  ["-latency", "1 10 3 2"],
  ["routes", "1 10 3 2"],
  ["-routes", "10 3 1 2"],
  ["uptime", "3 10 2 1"],
  ["-uptime", "10 3 2 1"],
] as const)("the order %s, in which equal ones stay and a missing value is last", (sort, order) => {
  expect(sortNodes(peerings, history, sort).join(" ").replaceAll("node", "")).toBe(order);
});

test("a head sorts by its column, worst or largest first, and then in the opposite order", () => {
  expect([nextSort("latency", "state"), nextSort("latency", "-latency"), nextSort("node", "-node")]).toEqual([
    "-latency",
    "latency",
    "node",
  ]);
});

import { expect, test } from "vitest";
import type { PeerStatus } from "../contract/lenient.ts";
import {
  bgpStatusWithRoutes,
  describeRefusedRoutes,
  peeringHealth,
  toHealth,
  tunnelHealth,
} from "./health.ts";

const well: PeerStatus = {
  node: "syd01",
  known: true,
  bgp_status: "OK",
  wg_status: { state: "Up", issues: [], tx: "1 KiB", rx: "1 KiB", handshake: "12 s ago" },
  latency: "1.0 ms",
  sessions: [],
  bgp_issues: [],
  deployment: null,
};
const down = { ...well.wg_status, state: "Down" as const };
const starting = { ...well.wg_status, state: "Starting" };
const slow = { ...well.wg_status, issues: ["The last handshake is 4 minutes old."] };

test.each<[string, Partial<PeerStatus>, string]>([
  ["nothing is wrong", {}, "OK"],
  ["the tunnel is down", { wg_status: down }, "Down"],
  ["BGP is down", { bgp_status: "Down" }, "Down"],
  ["BGP is not found", { bgp_status: "Not found" }, "Down"],
  ["the tunnel is down and BGP has issues", { wg_status: down, bgp_status: "Issues" }, "Down"],
  ["BGP has issues", { bgp_status: "Issues" }, "Issues"],
  ["BGP is established with a remark", { bgp_issues: ["No IPv6 channel."] }, "Issues"],
  ["the tunnel has issues", { wg_status: slow }, "Issues"],
  // Words that another server uses.
  ["BGP has another status", { bgp_status: "Idle (Admin)", bgp_issues: ["A remark."] }, "Idle (Admin)"],
  ["BGP has no status", { bgp_status: "" }, "Unknown"],
  ["the tunnel has another status", { wg_status: starting, bgp_status: "Issues" }, "Starting"],
  ["the tunnel has no status", { wg_status: { ...well.wg_status, state: "" } }, "Unknown"],
  ["the tunnel is down and BGP has another status", { wg_status: down, bgp_status: "Idle (Admin)" }, "Down"],
  ["BGP is down and the tunnel has another status", { wg_status: starting, bgp_status: "Down" }, "Down"],
  [
    "BGP is not found and the tunnel has another status",
    { wg_status: starting, bgp_status: "Not found" },
    "Down",
  ],
])("when %s", (_, change, health) => {
  expect(peeringHealth({ ...well, ...change })).toBe(health);
});

test.each([
  ["is down", down, "Down"],
  ["is down, with an issue", { ...down, issues: slow.issues }, "Down"],
  ["is up, with an issue", slow, "Issues"],
  ["is up", well.wg_status, "OK"],
])("when the tunnel %s", (_, status, health) => {
  expect(tunnelHealth(status)).toBe(health);
});

test.each([
  ["OK", "OK"],
  ["Issues", "Issues"],
  ["Down", "Down"],
  ["Not found", "Down"],
  ["", "Down"],
])("the status %j counts as %s", (status, health) => {
  expect(toHealth(status)).toBe(health);
});

/** Sessions with these numbers of accepted and refused routes; null where the router does not say. */
function sessionsWith(...counts: ReadonlyArray<readonly [accepted: number, refused: number] | null>) {
  return counts.map((count) => ({
    name: "dn42_4242420001",
    families: ["IPv4" as const],
    state: "Established",
    detail: "",
    routes: count && [
      {
        family: "IPv4" as const,
        received: count[0] + count[1],
        accepted: count[0],
        refused: count[1],
        exported: 640,
      },
    ],
  }));
}

test.each([
  [sessionsWith([2, 18]), "18 of your 20 routes are refused."],
  [sessionsWith([499, 1]), "1 of your 500 routes is refused."],
  [sessionsWith([1, 9], [1, 9]), "18 of your 20 routes are refused."],
  [sessionsWith([0, 3], null), "3 of your 3 routes are refused."],
  [sessionsWith([0, 1]), "Your only route is refused."],
])("refused routes are an issue of sessions that are up", (sessions, sentence) => {
  expect(describeRefusedRoutes(sessions)).toBe(sentence);
  expect(bgpStatusWithRoutes("OK", sessions)).toBe("Issues");
  expect(bgpStatusWithRoutes("Down", sessions)).toBe("Down");
});

test.each([[[]], [sessionsWith(null)], [sessionsWith([20, 0])]])(
  "no refused routes are no issue",
  (sessions) => {
    expect(describeRefusedRoutes(sessions)).toBeNull();
    expect(bgpStatusWithRoutes("OK", sessions)).toBe("OK");
  },
);

import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/fake-bird.ts";
import { parseSession } from "./parse-session.ts";

const established = [
  "2002-Name       Proto      Table      State  Since         Info",
  "1002-dn42_4242420001 BGP        ---        up     23:13:45.479  Established   ",
  "1006-  BGP state:          Established",
  "     Neighbor address: fe80::1%dn42_4242420001",
  "     Local capabilities",
  "       Multiprotocol",
  "         AF announced: ipv4 ipv6",
  "       Extended next hop",
  "         IPv6 nexthop: ipv4",
  "     Neighbor capabilities",
  "       Multiprotocol",
  "         AF announced: ipv4 ipv6",
  "       Route refresh",
  "       Extended next hop",
  "         IPv6 nexthop: ipv4",
  "       4-octet AS numbers",
  "     Session:          external AS4",
  "   Channel ipv4",
  "     State:          UP",
  "     Routes:         2 imported, 3 filtered, 40 exported, 2 preferred",
  "     Route change stats:     received   rejected   filtered    ignored   accepted",
  "       Import updates:              6          1          3          0          2",
  "   Channel ipv6",
  "     State:          UP",
  "     Routes:         7 imported, 41 exported, 7 preferred",
  "       Import updates:              7          0          0          0          7",
  " ",
  "0000 ",
];

test("parses the neighbour's capabilities and the routes of each channel", () => {
  expect(parseSession(replyOf(...established))).toEqual({
    name: "dn42_4242420001",
    state: "Established",
    detail: "",
    neighbour: { families: ["IPv4", "IPv6"], extendedNextHop: true },
    routes: [
      { family: "IPv4", received: 6, filtered: 3, rejected: 1, limits: [] },
      { family: "IPv6", received: 7, filtered: 0, rejected: 0, limits: [] },
    ],
  });
});

test("does not take the node's own capabilities for the neighbour's", () => {
  const bare = established.filter((_, index) => ![11, 13, 14].includes(index));
  expect(parseSession(replyOf(...bare))?.neighbour).toEqual({ families: ["IPv4"], extendedNextHop: false });
});

test("a neighbour that did not reply has no capabilities", () => {
  const reply = replyOf(
    "1002-dn42_4242420001 BGP        ---        start  23:13:45.479  Active        Socket: Connection refused",
    "1006-  BGP state:          Active",
    "   Channel ipv4",
    "     State:          DOWN",
    "0000 ",
  );
  expect(parseSession(reply)).toEqual({
    name: "dn42_4242420001",
    state: "Active",
    detail: "Socket: Connection refused",
    neighbour: null,
    routes: [{ family: "IPv4", received: 0, filtered: 0, rejected: 0, limits: [] }],
  });
});

/** Output of BIRD 2.0.12 for channels that accept 4000 routes and keep 6000. */
function channelAfter(limits: readonly string[], counts: readonly string[]) {
  const reply = replyOf(
    "1002-dn42_4242420001 BGP        ---        up     00:50:47.580  Established   ",
    "1006-  BGP state:          Established",
    "   Channel ipv4",
    "     State:          UP",
    ...limits.flatMap((limit) => [`     ${limit}`, "       Action:       block"]),
    ...counts.map((line) => `     ${line}`),
    "0000 ",
  );
  return parseSession(reply)?.routes;
}
const receiveHit = { family: "IPv4", kind: "receive", routes: 6000 };
const importHit = { family: "IPv4", kind: "import", routes: 4000 };

test("counts 10,008 routes of which the filters reject all but one", () => {
  const channel = channelAfter(
    ["Receive limit:  6000 [HIT]", "Import limit:   4000"],
    [
      "Routes:         0 imported, 6000 filtered, 1 exported, 0 preferred",
      "Route change stats:     received   rejected   filtered    ignored   accepted",
      "  Import updates:          10008          0      10007       4008          0",
      "  Import withdraws:            0          0        ---       6000          0",
    ],
  );
  expect(channel).toEqual([
    { family: "IPv4", received: 10_008, filtered: 6000, rejected: 4008, limits: [receiveHit] },
  ]);
});

test("counts 10,001 routes that the filters accept", () => {
  const channel = channelAfter(
    ["Receive limit:  6000 [HIT]", "Import limit:   4000 [HIT]"],
    [
      "Routes:         4000 imported, 2000 filtered, 1 exported, 4000 preferred",
      "  Import updates:          10004          0          3       6001       4000",
      "  Import withdraws:            3          0        ---          6          0",
    ],
  );
  expect(channel).toEqual([
    { family: "IPv4", received: 10_001, filtered: 2000, rejected: 4001, limits: [receiveHit, importHit] },
  ]);
});

test("a limit stays hit after the routes are withdrawn, and new routes are dropped", () => {
  const channel = channelAfter(
    ["Receive limit:  6000 [HIT]", "Import limit:   4000 [HIT]"],
    [
      "Routes:         1 imported, 0 filtered, 1 exported, 1 preferred",
      "  Import updates:          10104          0          3       6101       4000",
      "  Import withdraws:        10003          0        ---       6007       3999",
    ],
  );
  expect(channel).toMatchObject([{ received: 101, filtered: 0, rejected: 100 }]);
});

test("returns null for an unknown protocol", () => {
  expect(parseSession(replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED"))).toBeNull();
});

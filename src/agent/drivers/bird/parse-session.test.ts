import { expect, test } from "vitest";
import { replyOf } from "../../fixtures/bird-reply.ts";
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

test("what the neighbour announces, and the routes of each channel", () => {
  expect(parseSession(replyOf(...established))).toEqual({
    name: "dn42_4242420001",
    state: "Established",
    detail: "",
    neighbour: { families: ["IPv4", "IPv6"], extendedNextHop: true },
    routes: [
      { family: "IPv4", received: 6, filtered: 3, rejected: 1 },
      { family: "IPv6", received: 7, filtered: 0, rejected: 0 },
    ],
  });
});

test("what our own side announces is not taken for the neighbour's", () => {
  const bare = established.filter((_, index) => ![11, 13, 14].includes(index));
  expect(parseSession(replyOf(...bare))?.neighbour).toEqual({ families: ["IPv4"], extendedNextHop: false });
});

test("a neighbour that was not heard", () => {
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
    routes: [{ family: "IPv4", received: 0, filtered: 0, rejected: 0 }],
  });
});

test("no such protocol", () => {
  expect(parseSession(replyOf("9001 syntax error, unexpected CF_SYM_UNDEFINED"))).toBeNull();
});

import { expect, test } from "vitest";
import { interfaceName, sessionsOf } from "./bgp-sessions.ts";

const asn = "4242420001";
const single = { name: "dn42_4242420001", extendedNextHop: true };
const ipv4 = { name: `${single.name}_v4`, transport: "IPv4", channels: ["IPv4"], extendedNextHop: false };
const ipv6 = { name: `${single.name}_v6`, transport: "IPv6", channels: ["IPv6"], extendedNextHop: false };
const both = { ...single, transport: "IPv6", channels: ["IPv4", "IPv6"] };

test.each([
  ["IPv4", false, [ipv4]],
  ["IPv4", true, [ipv4]],
  ["IPv6", false, [ipv6]],
  ["IPv6", true, [ipv6]],
  ["Both", false, [ipv4, ipv6]],
  ["Both", true, [both]],
] as const)("%s, extended next hop %s", (addressFamily, extendedNextHop, sessions) => {
  expect(sessionsOf({ asn, addressFamily, extendedNextHop })).toEqual(sessions);
});

test("an interface name has at most 15 characters for every AS number (Linux)", () => {
  expect(interfaceName("4294967294")).toBe("dn42_4294967294");
  expect(interfaceName("4294967294")).toHaveLength(15);
});

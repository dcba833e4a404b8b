import { expect, test } from "vitest";
import { dualStackOf, peeringOf, routed } from "../fixtures/peerings.ts";
import type { RoutedPeering } from "../drivers/router.ts";
import { describeSteps } from "./steps.ts";

function listSteps(from: RoutedPeering | null, to: RoutedPeering | null): readonly string[] {
  return Object.values(describeSteps({ from, to })).flat();
}

test("equal states have no steps", () => {
  expect(listSteps(null, null)).toEqual([]);
  expect(listSteps(routed(peeringOf(1)), routed(peeringOf(1)))).toEqual([]);
});

test("removing a peering removes its sessions and its tunnel", () => {
  expect(listSteps(routed(dualStackOf(1)), null)).toEqual([
    "Removed the BGP session for IPv4 over IPv4.",
    "Removed the BGP session for IPv6 over IPv6.",
    "Removed the tunnel.",
  ]);
});

test("changing the address family changes sessions and tunnel addresses", () => {
  expect(listSteps(routed(peeringOf(1)), routed(dualStackOf(1)))).toEqual([
    "Changed the node's tunnel IPv4 from none to 172.20.0.1.",
    "Changed the participant's tunnel IPv4 from none to 172.21.1.1.",
    "Removed the BGP session for IPv4 and IPv6 over IPv6 with extended next hop.",
    "Set up the BGP session for IPv4 over IPv4.",
    "Set up the BGP session for IPv6 over IPv6.",
  ]);
});

test("writes an IPv6 endpoint in brackets", () => {
  expect(listSteps(routed(peeringOf(1)), routed(peeringOf(1), "2001:db8::7"))).toEqual([
    "Changed the endpoint from 198.51.100.1:51820 to [2001:db8::7]:51820.",
  ]);
});

import { expect, test } from "vitest";
import { dualStackOf, peeringOf, routed } from "../fixtures/peerings.ts";
import { describeSteps } from "./steps.ts";

test("equal states have no steps", () => {
  expect(describeSteps(null, null)).toEqual([]);
  expect(describeSteps(routed(peeringOf(1)), routed(peeringOf(1)))).toEqual([]);
});

test("removing a peering removes its sessions and its tunnel", () => {
  expect(describeSteps(routed(dualStackOf(1)), null)).toEqual([
    "Removed the BGP session dn42_4242420001_v4.",
    "Removed the BGP session dn42_4242420001_v6.",
    "Removed the tunnel dn42_4242420001.",
  ]);
});

test("changing the address family changes sessions and tunnel addresses", () => {
  expect(describeSteps(routed(peeringOf(1)), routed(dualStackOf(1)))).toEqual([
    "Changed the node's tunnel IPv4 from none to 172.20.0.1.",
    "Changed the participant's tunnel IPv4 from none to 172.21.1.1.",
    "Removed the BGP session dn42_4242420001.",
    "Set up the BGP session dn42_4242420001_v4 (IPv4 over IPv4).",
    "Set up the BGP session dn42_4242420001_v6 (IPv6 over IPv6).",
  ]);
});

test("writes an IPv6 endpoint in brackets", () => {
  expect(describeSteps(routed(peeringOf(1)), routed(peeringOf(1), "2001:db8::7"))).toEqual([
    "Changed the endpoint from 198.51.100.1:51820 to [2001:db8::7]:51820.",
  ]);
});

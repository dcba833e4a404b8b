import { expect, test } from "vitest";
import type { SessionDetail } from "../drivers/router.ts";
import { dualStackOf, peeringOf } from "../fixtures/peerings.ts";
import { checkBgp } from "./check-bgp.ts";

const multiProtocol: SessionDetail = {
  name: "dn42_4242420001",
  state: "Established",
  detail: "",
  neighbour: { families: ["IPv4", "IPv6"], extendedNextHop: true },
  routes: [
    { family: "IPv4", received: 3, filtered: 1, rejected: 0, limits: [] },
    { family: "IPv6", received: 2, filtered: 0, rejected: 1, limits: [] },
  ],
};

test("a neighbour that announces what was chosen is OK", () => {
  expect(checkBgp(peeringOf(1), [multiProtocol])).toEqual({
    address_families: "OK",
    bgp_extnh: "OK",
    received_routes: { ipv4: 3, ipv6: 2 },
    filtered_routes: { ipv4: 1, ipv6: 0 },
    rejected_routes: { ipv4: 0, ipv6: 1 },
  });
});

test("what the neighbour does not announce is named, with the line that mends it", () => {
  const neighbour = { families: ["IPv6"] as const, extendedNextHop: false };
  expect(checkBgp(peeringOf(1), [{ ...multiProtocol, neighbour, routes: [] }])).toMatchObject({
    address_families: "Your side of dn42_4242420001 does not announce IPv4. Add an ipv4 channel to it.",
    bgp_extnh:
      'Your side of dn42_4242420001 does not announce extended next hop. Set "extended next hop on" in its ' +
      "ipv4 channel, or choose No for Extended Nexthop.",
    received_routes: { ipv4: 0, ipv6: 0 },
  });
});

test("a neighbour that was never heard is not judged, and what mends it is named", () => {
  const silent = {
    ...multiProtocol,
    state: "Active",
    detail: "Socket: Connection refused",
    neighbour: null,
    routes: [],
  };
  const told =
    "dn42_4242420001 is Active (Socket: Connection refused): your side has not been heard. Check that the tunnel " +
    "is up, that your BGP daemon runs a session with fe80::2227, and that your firewall lets TCP port 179 in on " +
    "the tunnel.";
  expect(checkBgp(peeringOf(1), [silent])).toMatchObject({ address_families: told, bgp_extnh: told });
  const idle = { ...silent, name: "dn42_4242420001_v4", state: "Idle", detail: "" };
  expect(checkBgp(dualStackOf(1), [idle])).toMatchObject({
    address_families: expect.stringMatching(
      /^dn42_4242420001_v4 is Idle: .+ runs a session with 172\.20\.0\.1, /,
    ),
    bgp_extnh: "OK",
  });
});

test("a session that the node does not run is not the neighbour's fault", () => {
  expect(checkBgp(dualStackOf(1), [])).toMatchObject({
    address_families:
      "dn42_4242420001_v4 is not found: the node does not run this session at the moment. It is set up again on " +
      "its own; check again in a minute.",
    bgp_extnh: "OK",
  });
});

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
    { family: "IPv4", accepted: 2, filtered: 1, exported: 40, malformedUpdates: 0, limits: [] },
    { family: "IPv6", accepted: 2, filtered: 0, exported: 41, malformedUpdates: 18, limits: [] },
  ],
};

test("a neighbour that announces the chosen settings is OK", () => {
  expect(checkBgp(peeringOf(1), [multiProtocol])).toEqual({
    address_families: "OK",
    bgp_extnh: "OK",
    received_routes: { ipv4: 3, ipv6: 2 },
    filtered_routes: { ipv4: 1, ipv6: 0 },
    rejected_routes: { ipv4: 0, ipv6: 18 },
  });
});

test("what BIRD does not say about a channel is unknown, not 0", () => {
  const [ipv4, ipv6] = multiProtocol.routes;
  const routes = [ipv4, { ...ipv6, filtered: null, malformedUpdates: null }] as SessionDetail["routes"];
  expect(checkBgp(peeringOf(1), [{ ...multiProtocol, routes }])).toMatchObject({
    received_routes: { ipv4: 3, ipv6: null },
    filtered_routes: { ipv4: 1, ipv6: null },
    rejected_routes: { ipv4: 0, ipv6: null },
  });
});

test("names what the neighbour does not announce, and how to fix it", () => {
  const neighbour = { families: ["IPv6"] as const, extendedNextHop: false };
  expect(checkBgp(peeringOf(1), [{ ...multiProtocol, neighbour, routes: [] }])).toMatchObject({
    address_families:
      "Your router does not announce IPv4 in session dn42_4242420001. Add an ipv4 channel to it.",
    bgp_extnh:
      'Your router does not announce extended next hop in session dn42_4242420001. Set "extended next hop on" in its ' +
      "ipv4 channel, or choose No for Extended Nexthop.",
    received_routes: { ipv4: null, ipv6: null },
  });
});

test("says why there is no session with the neighbour, and how to fix it", () => {
  const unanswered = {
    ...multiProtocol,
    state: "Active",
    detail: "Socket: Connection refused",
    neighbour: null,
    routes: [],
  };
  const noSession =
    "IPv4 and IPv6: your router refused the BGP connection (TCP 179). Check that the tunnel is up, that your BGP " +
    "daemon runs a session with fe80::2227, and that your firewall allows TCP port 179 on the tunnel.";
  expect(checkBgp(peeringOf(1), [unanswered])).toMatchObject({
    address_families: noSession,
    bgp_extnh: noSession,
  });
  const idle = { ...unanswered, name: "dn42_4242420001_v4", state: "Idle", detail: "" };
  expect(checkBgp(dualStackOf(1), [idle])).toMatchObject({
    address_families: expect.stringMatching(
      /^IPv4: no reply from your router\. .+ runs a session with 172\.20\.0\.1, /,
    ),
    bgp_extnh: "OK",
  });
});

test("a session that the node does not run is not blamed on the neighbour", () => {
  expect(checkBgp(dualStackOf(1), [])).toMatchObject({
    received_routes: { ipv4: null, ipv6: null },
    address_families:
      "The node is not running session dn42_4242420001_v4 at the moment. It will be set up again automatically; " +
      "check again in a minute.",
    bgp_extnh: "OK",
  });
});

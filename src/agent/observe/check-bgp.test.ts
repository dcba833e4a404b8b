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

test("nothing is wrong with a neighbour that announces the chosen settings", () => {
  expect(checkBgp(peeringOf(1), [multiProtocol])).toEqual({
    addressFamilies: null,
    extendedNextHop: null,
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

test("finds what the neighbour does not announce", () => {
  const neighbour = { families: ["IPv6"] as const, extendedNextHop: false };
  const session = multiProtocol.name;
  expect(checkBgp(peeringOf(1), [{ ...multiProtocol, neighbour, routes: [] }])).toMatchObject({
    addressFamilies: { code: "family-not-announced", facts: { session, family: "IPv4" } },
    extendedNextHop: { code: "extended-next-hop-missing", facts: { session } },
    received_routes: { ipv4: null, ipv6: null },
  });
});

const silent = (families: string[], address: string) => ({
  code: "session-silent",
  facts: { families, addresses: [address] },
});

test("finds why there is no session with the neighbour", () => {
  const unanswered = { ...multiProtocol, neighbour: null, routes: [], state: "Active", detail: "" };
  const both = silent(["IPv4", "IPv6"], "fe80::2227");
  expect(checkBgp(peeringOf(1), [unanswered])).toMatchObject({
    addressFamilies: both,
    extendedNextHop: both,
  });
  expect(checkBgp(dualStackOf(1), [{ ...unanswered, name: "dn42_4242420001_v4" }])).toMatchObject({
    addressFamilies: silent(["IPv4"], "172.20.0.1"),
    extendedNextHop: null,
  });
});

test("a session that the provider disabled is not blamed on the neighbour", () => {
  const off = { ...multiProtocol, neighbour: null, routes: [], state: "Down", isDisabled: true };
  const facts = { families: ["IPv4", "IPv6"], sessions: [multiProtocol.name] };
  const fault = { code: "session-disabled", facts };
  expect(checkBgp(peeringOf(1), [off])).toMatchObject({ addressFamilies: fault, extendedNextHop: fault });
});

test("a session that the node does not run is not blamed on the neighbour", () => {
  expect(checkBgp(dualStackOf(1), [])).toMatchObject({
    received_routes: { ipv4: null, ipv6: null },
    addressFamilies: { code: "session-not-running", facts: { session: "dn42_4242420001_v4" } },
    extendedNextHop: null,
  });
});

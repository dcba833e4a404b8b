import { expect, test } from "vitest";
import { dualStackOf, peeringOf } from "../../fixtures/peerings.ts";
import { parseLinks, tunnelAddresses } from "./addresses.ts";

test.each([
  ["link-local on both ends", peeringOf(1), ["fe80::2227/64"]],
  ["both families", dualStackOf(2), ["172.20.0.1 peer 172.21.2.1/32", "fe80::2227/64"]],
  ["link-local in another /64", peeringOf(1, { peerIpv6: "fe80:1::5" }), ["fe80::2227 peer fe80:1::5/128"]],
  ["both in another /64", peeringOf(1, { peerIpv6: "fe80:1::5", localIpv6: "fe80:1::9" }), ["fe80:1::9/64"]],
  ["a routed one", peeringOf(4, { peerIpv6: "fd42:4::1" }), ["fe80::2227 peer fd42:4::1/128"]],
  ["the node's routed one", peeringOf(1, { localIpv6: "fd42::1" }), ["fd42::1 peer fe80::1/128"]],
])("tunnel addresses: %s", (_, peering, addresses) => {
  expect(tunnelAddresses(peering)).toEqual(addresses);
});

test("parses the kernel's addresses into the same form", () => {
  const json = JSON.stringify([
    {
      ifname: "dn42_4242420002",
      flags: ["POINTOPOINT", "NOARP", "UP", "LOWER_UP"],
      mtu: 1412,
      addr_info: [
        { family: "inet", local: "172.20.0.1", address: "172.21.2.1", prefixlen: 32 },
        { family: "inet6", local: "fe80::2227", prefixlen: 64 },
      ],
    },
    { ifname: "dn42_4242420003", flags: ["POINTOPOINT"], mtu: 1420, addr_info: [] },
  ]);
  expect(parseLinks(json)).toEqual(
    new Map([
      ["dn42_4242420002", { up: true, mtu: 1412, addresses: tunnelAddresses(dualStackOf(2)) }],
      ["dn42_4242420003", { up: false, mtu: 1420, addresses: [] }],
    ]),
  );
});

test("a pair that lacks an end has no address", () => {
  const none = { localIpv4: null, peerIpv4: null, localIpv6: null, peerIpv6: null };
  for (const end of ["localIpv4", "peerIpv4", "localIpv6", "peerIpv6"])
    expect(tunnelAddresses(peeringOf(1, { ...none, [end]: "172.20.0.1" }))).toEqual([]);
});

test("without interfaces, or with what ip leaves out of its output, nothing is made up", () => {
  expect(parseLinks("\n")).toEqual(new Map());
  expect(parseLinks("[{}]")).toEqual(new Map([["", { up: false, mtu: 0, addresses: [] }]]));
});

import { expect, test } from "vitest";
import type { Peering } from "../../src/contract/agent.ts";
import { checkPeering } from "../../src/domain/peering/check-peering.ts";
import { nodeKey } from "../support/fixtures/hostile-input.ts";
import { peeringContext, validPeering } from "../support/fixtures/peering-context.ts";

const context = { ...peeringContext, nodeKeys: [nodeKey] };

function errorOf(change: Partial<Peering>) {
  return checkPeering({ ...validPeering, ...change }, context);
}

const presharedKey = Buffer.alloc(32, 7).toString("base64");

test.each<Partial<Peering>>([
  {},
  { addressFamily: "IPv4", peerIpv6: null, localIpv6: null },
  { addressFamily: "IPv6", peerIpv4: null, localIpv4: null },
  { extendedNextHop: true, peerIpv4: null, localIpv4: null },
  { mtu: 1280 },
  { mtu: 1420 },
  { endpointHost: "203.0.113.7", peerIpv6: "fd00:9::1", localIpv6: "fd00:9::2" },
  { endpointHost: null, endpointPort: null },
  { presharedKey },
  { probeAddress: "172.20.1.9" },
])("the valid peering with %j is accepted", (change) => {
  expect(errorOf(change)).toBeNull();
});

// The texts of other values are in `golden/update-errors.txt`.
test.each<[Partial<Peering>, string, string]>([
  [{ endpointHost: "A.Example.org" }, "remote_ip", "A.Example.org is not written as a.example.org."],
  [{ peerIpv6: "FE80::1" }, "peer_ipv6", "FE80::1 is not written as fe80::1."],
  [{ localIpv6: "fe80:0::2227" }, "local_ipv6", "fe80:0::2227 is not written as fe80::2227."],
  [{ endpointHost: null }, "remote_port", "A port needs a host."],
  [{ probeAddress: "FD00:9::1" }, "probe_address", "FD00:9::1 is not written as fd00:9::1."],
])("%j is not canonical", (change, field, message) => {
  expect(errorOf(change)).toEqual({ field, message });
});

test.each<[Partial<Peering>, string]>([
  [{ peerIpv4: null, localIpv4: null }, "peer_ipv4"],
  [{ peerIpv6: null }, "peer_ipv6"],
  [{ localIpv6: null }, "local_ipv6"],
  [{ localIpv4: null }, "local_ipv4"],
  [{ peerIpv4: null }, "local_ipv4"],
  [{ addressFamily: "IPv4" }, "peer_ipv6"],
  [{ addressFamily: "IPv4", peerIpv6: null }, "local_ipv6"],
  [{ addressFamily: "IPv6" }, "peer_ipv4"],
  [{ extendedNextHop: true }, "peer_ipv4"],
  [{ addressFamily: "IPv4", extendedNextHop: true, peerIpv6: null, localIpv6: null }, "bgp_extnh"],
  [{ endpointPort: null }, "remote_port"],
  [{ peerIpv4: "172.20.16.1" }, "peer_ipv4"],
  [{ peerIpv6: "fe80::2227" }, "peer_ipv6"],
])("a peering of both families with %j is rejected at %s", (change, field) => {
  expect(errorOf(change)).toMatchObject({ field });
});

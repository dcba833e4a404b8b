import { expect, test } from "vitest";
import type { PeeringRequest } from "./peering-request.ts";
import { findInterruption, listPeeringChanges } from "./peering-changes.ts";

const request: PeeringRequest = {
  asn: "4242420001",
  addressFamily: "Both",
  extendedNextHop: true,
  endpointHost: "router.example.org",
  endpointPort: 51_820,
  publicKey: "A".repeat(43).concat("="),
  peerIpv4: null,
  peerIpv6: "fe80::1",
  customLocalIpv6: null,
  mtu: null,
  presharedKey: null,
};

/** As sentences: a value is "null" if the peering did not exist before, or does not exist after. */
const listed = (before: PeeringRequest | null, after: PeeringRequest | null) =>
  listPeeringChanges(before, after).map((change) => `${change.field}: ${change.before} → ${change.after}`);

test("a new peering has every value, in the order of the form", () => {
  expect(listed(null, { ...request, peerIpv4: "172.20.0.1", customLocalIpv6: "fe80::42" })).toEqual([
    "address family: null → Both",
    "extended next hop: null → Yes",
    "public IP or hostname: null → router.example.org",
    "port: null → 51820",
    `public key: null → ${request.publicKey}`,
    "IPv4 tunnel address: null → 172.20.0.1",
    "IPv6 tunnel address: null → fe80::1",
    "node's IPv6 tunnel address: null → fe80::42",
  ]);
});

test("a deleted peering had them, and what it did not have is not listed", () => {
  expect(listed({ ...request, extendedNextHop: false }, null)).toEqual([
    "address family: Both → null",
    "extended next hop: No → null",
    "public IP or hostname: router.example.org → null",
    "port: 51820 → null",
    `public key: ${request.publicKey} → null`,
    "IPv6 tunnel address: fe80::1 → null",
  ]);
});

test("an edit lists what it changes, with words for values that are not given", () => {
  const edited = { ...request, extendedNextHop: false, peerIpv4: "172.20.0.1", peerIpv6: null };
  expect(listed(request, { ...edited, customLocalIpv6: "fe80::42" })).toEqual([
    "extended next hop: Yes → No",
    "IPv4 tunnel address: none → 172.20.0.1",
    "IPv6 tunnel address: fe80::1 → none",
    "node's IPv6 tunnel address: default → fe80::42",
  ]);
  expect(listed(request, request)).toEqual([]);
  // The older version of the peering has no such value.
  expect(listed(request, { ...request, probeAddress: "172.20.0.53" })).toEqual([
    "address to probe: none → 172.20.0.53",
  ]);
});

test("the most serious interruption of all changes counts", () => {
  expect(findInterruption([])).toBe("nothing");
  expect(findInterruption(["remote_ip", "mtu"])).toBe("nothing");
  expect(findInterruption(["remote_ip", "peer_ipv6"])).toBe("sessions");
  expect(findInterruption(["peer_ipv6", "public_key"])).toBe("tunnel");
});

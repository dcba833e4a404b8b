import { expect, test } from "vitest";
import type { OptionValues } from "./fields/option-values.ts";
import type { Peering } from "../../contract/agent.ts";
import { toPeerConfig } from "./peer-config.ts";

const peering: Peering = {
  asn: "4242420001",
  addressFamily: "Both",
  extendedNextHop: true,
  endpointHost: "router.example.org",
  endpointPort: 51_820,
  publicKey: "A".repeat(43).concat("="),
  listenPort: 20_001,
  peerIpv4: null,
  peerIpv6: "fe80::1",
  localIpv4: null,
  localIpv6: "fe80::2227",
};

function read(
  changes: Partial<Peering>,
  customLocalIpv6: string | null = null,
  given: Partial<OptionValues> = {},
) {
  const options = { mtu: null, presharedKey: null, ...given };
  const stored = { peering: { ...peering, ...changes }, options, customLocalIpv6, generation: 7 };
  return toPeerConfig(stored, "4242422227");
}

test("a peering whose one session has both families", () => {
  expect(read({})).toEqual({
    local_port: "20001",
    local_asn: "4242422227",
    remote: "router.example.org:51820",
    peer_ipv4: "",
    peer_ipv6: "fe80::1",
    peer_publickey: peering.publicKey,
    peer_asn: "4242420001",
    bgp_ipv4: "Yes",
    bgp_ipv6: "Yes",
    bgp_mpbgp: "Yes",
    bgp_extnh: "Yes",
    address_family: "Both",
    local_ipv6: "",
    generation: 7,
    mtu: "",
    preshared_key: "",
    no_endpoint: "",
  });
});

test("a session for each family", () => {
  const separate = { extendedNextHop: false, peerIpv4: "172.21.1.1", localIpv4: "172.20.0.1" };
  expect(read(separate, "fe80::42")).toMatchObject({
    peer_ipv4: "172.21.1.1",
    bgp_ipv4: "Yes",
    bgp_ipv6: "Yes",
    bgp_mpbgp: "No",
    bgp_extnh: "No",
    local_ipv6: "fe80::42",
  });
});

test("no endpoint", () => {
  expect(read({ endpointHost: null, endpointPort: null })).toMatchObject({ remote: "", no_endpoint: "Yes" });
});

test("options, without the pre-shared key itself", () => {
  expect(read({ presharedKey: "a secret" }, null, { mtu: 1412, presharedKey: "generated" })).toMatchObject({
    mtu: "1412",
    preshared_key: "set",
  });
  expect(read({}, null, { presharedKey: "unknown" })).toMatchObject({ preshared_key: "unknown" });
});

test.each([
  ["IPv4", { peerIpv4: "172.21.1.1", localIpv4: "172.20.0.1", peerIpv6: null, localIpv6: null }, "Yes", "No"],
  ["IPv6", { peerIpv6: "fe80::1" }, "No", "Yes"],
] as const)("a peering with %s alone", (addressFamily, addresses, bgpIpv4, bgpIpv6) => {
  expect(read({ addressFamily, extendedNextHop: false, ...addresses })).toMatchObject({
    address_family: addressFamily,
    peer_ipv6: addresses.peerIpv6 ?? "",
    bgp_ipv4: bgpIpv4,
    bgp_ipv6: bgpIpv6,
    bgp_mpbgp: "No",
  });
});

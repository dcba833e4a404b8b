import { expect, test } from "vitest";
import type { OptionValues } from "./fields/option-values.ts";
import type { Peering } from "../../contract/agent.ts";
import { mpBgpPeering, storedPeering } from "./fixtures/stored-peering.ts";
import { toPeerConfig } from "./peer-config.ts";

function read(
  changes: Partial<Peering>,
  customLocalIpv6: string | null = null,
  given: Partial<OptionValues> = {},
) {
  const peering = { ...mpBgpPeering, ...changes };
  const options = { ...storedPeering.options, ...given };
  return toPeerConfig({ ...storedPeering, peering, options, customLocalIpv6 }, "4242422227");
}

test("a peering whose one session has both families", () => {
  expect(read({})).toEqual({
    local_port: "20001",
    local_asn: "4242422227",
    remote: "router.example.org:51820",
    peer_ipv4: "",
    peer_ipv6: "fe80::1",
    peer_publickey: mpBgpPeering.publicKey,
    peer_asn: "4242420001",
    bgp_ipv4: "Yes",
    bgp_ipv6: "Yes",
    bgp_mpbgp: "Yes",
    bgp_extnh: "Yes",
    address_family: "Both",
    local_ipv6: "",
    generation: 7,
    mtu: "",
    probe_address: "",
    preshared_key: "",
    no_endpoint: "",
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

const ipv4 = { peerIpv4: "172.21.1.1", localIpv4: "172.20.0.1" };

test.each([
  ["Both", ipv4, "Yes", "Yes"],
  ["IPv4", { ...ipv4, peerIpv6: null, localIpv6: null }, "Yes", "No"],
  ["IPv6", {}, "No", "Yes"],
] as const)("%s without extended next hop", (addressFamily, addresses, bgp_ipv4, bgp_ipv6) => {
  const changes = { addressFamily, extendedNextHop: false, ...addresses };
  const { peerIpv4, peerIpv6 } = { ...mpBgpPeering, ...changes };
  const tunnel = { peer_ipv4: peerIpv4 ?? "", peer_ipv6: peerIpv6 ?? "", local_ipv6: "fe80::42" };
  const sessions = { address_family: addressFamily, bgp_ipv4, bgp_ipv6, bgp_mpbgp: "No", bgp_extnh: "No" };
  expect(read(changes, "fe80::42")).toMatchObject({ ...tunnel, ...sessions });
});

import { expect, test } from "vitest";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { completePeering, type TakenValues } from "../../src/domain/peering/complete-peering.ts";
import { checkPeerUpdate, type PeeringContext } from "../../src/domain/peering/check-peer-update.ts";
import type { PeeringRequest } from "../../src/domain/peering/fields/peering-request.ts";
import { explainInvalidText, findEndpointFault } from "../../src/domain/peering/peering-rules.ts";
import { parseAddress } from "../../src/domain/prefix.ts";
import { lowOrderKeys, nodeKey, validKey } from "../support/fixtures/hostile-input.ts";
import { noRequestOptions } from "../support/fixtures/no-options.ts";
import { peeringContext, validUpdate } from "../support/fixtures/peering-context.ts";

const free: TakenValues = { ports: new Set(), peerAddresses: new Set(), publicKeys: new Set() };

function requestOf(change: Partial<PeerUpdate>, context: PeeringContext = peeringContext): PeeringRequest {
  const checked = checkPeerUpdate({ ...validUpdate, ...change }, context);
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  return checked.request;
}

function errorOf(change: Partial<PeerUpdate>, context: PeeringContext = peeringContext) {
  const checked = checkPeerUpdate({ ...validUpdate, ...change }, context);
  return checked.ok ? null : checked.errors[0];
}

test("checked values are canonical", () => {
  expect(requestOf({})).toEqual({
    asn: "4242420001",
    addressFamily: "Both",
    extendedNextHop: false,
    endpointHost: "router.example.org",
    endpointPort: 51820,
    publicKey: validKey,
    peerIpv4: "172.20.1.1",
    peerIpv6: "fe80::1",
    customLocalIpv6: null,
    ...noRequestOptions,
  });
});

test("an absent option stays as it is, an empty one is removed, and a new peering has none", () => {
  const current = requestOf({ mtu: "1412" });
  const edit = { ...peeringContext, current };
  expect(current.mtu).toBe(1412);
  expect(requestOf({}, edit)).toEqual(current);
  expect(requestOf({ mtu: "1280" }, edit).mtu).toBe(1280);
  expect(requestOf({ mtu: "" }, edit)).toEqual(requestOf({}));
});

test("a router without a public address has no endpoint, and keeps none until the update has one", () => {
  const none = { remote_ip: "", remote_port: "" };
  const withoutEndpoint = { endpointHost: null, endpointPort: null };
  expect(errorOf(none)?.field).toBe("remote_ip");
  expect(errorOf({ remote_port: "" })?.field).toBe("remote_port");
  const current = requestOf({ ...none, no_endpoint: "Yes" });
  expect(current).toMatchObject(withoutEndpoint);
  const edit = { ...peeringContext, current };
  expect(requestOf(none, edit)).toEqual(current);
  expect(errorOf({ ...none, no_endpoint: "" }, edit)?.field).toBe("remote_ip");
  expect(errorOf({ ...none, remote_port: "51820" }, edit)?.field).toBe("remote_ip");
  expect(requestOf({}, edit)).toEqual(requestOf({}));
  for (const half of [{ remote_ip: "" }, { remote_port: "" }, {}]) {
    expect(errorOf({ no_endpoint: "Yes", ...half })).toEqual({
      field: "no_endpoint",
      message: "A router that connects to the node has no endpoint: leave host and port empty.",
    });
  }
});

test("an edit says that the server has lost the pre-shared key, unless it replaces or removes it", () => {
  const context: PeeringContext = {
    ...peeringContext,
    current: { ...requestOf({}), presharedKey: "unknown" },
  };
  expect(errorOf({}, context)?.field).toBe("preshared_key");
  expect(requestOf({ preshared_key: "generate" }, context).presharedKey).toBe("generated");
  expect(requestOf({ preshared_key: validKey }, context).presharedKey).toBe("entered");
  expect(requestOf({ preshared_key: "" }, context).presharedKey).toBeNull();
});

test.each<[string, Partial<PeerUpdate>, Partial<PeeringRequest>]>([
  ["IPv4", { address_family: "IPv4", bgp_extnh: "Yes" }, { peerIpv4: "172.20.1.1", peerIpv6: null }],
  ["IPv6", { address_family: "IPv6", bgp_extnh: "Yes" }, { peerIpv4: null, peerIpv6: "fe80::1" }],
  ["IPv6 without an address", { address_family: "IPv6", peer_ipv6: "" }, { peerIpv4: null, peerIpv6: null }],
  ["Both without an IPv6 address", { peer_ipv6: "" }, { peerIpv4: "172.20.1.1", peerIpv6: null }],
])("%s ignores fields that it does not show", (_, change, request) => {
  expect(requestOf(change)).toMatchObject({ ...request, extendedNextHop: false });
});

test("a hidden field is not checked", () => {
  expect(requestOf({ address_family: "IPv4", peer_ipv6: "nonsense", local_ipv6: "nonsense" })).toMatchObject({
    peerIpv6: null,
    customLocalIpv6: null,
  });
  expect(requestOf({ bgp_extnh: "Yes", peer_ipv4: "nonsense" })).toMatchObject({
    peerIpv4: null,
    extendedNextHop: true,
  });
});

test.each<[Partial<PeerUpdate>, string, string]>([
  [{ remote_ip: "nonsense" }, "remote_ip", "Not an IPv4 address or hostname."],
  [
    { remote_ip: "per01.EXAMPLE.net" },
    "remote_ip",
    "per01.example.net is one of our nodes. Enter the address of your own router.",
  ],
  [
    { remote_ip: "192.0.2.14" },
    "remote_ip",
    "192.0.2.14 is one of our addresses. Enter the address of your own router.",
  ],
  [
    { remote_ip: "192.168.0.1" },
    "remote_ip",
    "192.168.0.1 is a private address. Enter the public address of your router.",
  ],
  [
    { remote_ip: "Router.Local" },
    "remote_ip",
    "This name does not resolve on the public internet. Enter a public name or address.",
  ],
  [
    { remote_ip: "Router.dn42" },
    "remote_ip",
    "router.dn42 exists only inside the network. The endpoint must be reachable on the public internet: enter a public name or address.",
  ],
  [
    { remote_ip: "[2001:db8::1]" },
    "remote_ip",
    "IPv6 addresses are not accepted here. Enter a hostname with an AAAA record.",
  ],
  [
    { remote_ip: "https://router.example.org" },
    "remote_ip",
    "Enter the host alone, without a scheme, path or prefix length.",
  ],
  [
    { remote_ip: "router.example.org:51820" },
    "remote_ip",
    "Enter the host alone: the port has its own field.",
  ],
  [{ remote_port: "0" }, "remote_port", "Not a port: a whole number from 1 to 65535, without leading zeros."],
  [
    { public_key: "AAAA" },
    "public_key",
    "Not a WireGuard public key: 32 bytes in base64, 44 characters ending in '='.",
  ],
  [
    { public_key: lowOrderKeys[0] },
    "public_key",
    "This is not a usable WireGuard key (low-order point). Generate another one.",
  ],
  [{ public_key: nodeKey }, "public_key", "This is the node's own key. Enter the public key of your side."],
  [
    { peer_ipv4: "8.8.8.8" },
    "peer_ipv4",
    "8.8.8.8 is outside the network's ranges 172.20.0.0/14, 172.31.0.0/16 and 10.0.0.0/8.",
  ],
  [{ peer_ipv4: "172.20.16.1" }, "peer_ipv4", "172.20.16.1 is the node's own side of this tunnel."],
  [{ peer_ipv4: "172.20.16.2" }, "peer_ipv4", "172.20.16.2 belongs to us. Enter one of your own addresses."],
  [{ peer_ipv4: "" }, "peer_ipv4", "Not an IPv4 address."],
  [{ peer_ipv4: "172.20.1.1/32" }, "peer_ipv4", "Leave out the prefix length: enter the address alone."],
  [{ bgp_extnh: "Yes", peer_ipv6: "" }, "peer_ipv6", "Not an IPv6 address."],
  [
    { peer_ipv6: "fe80::1%eth0" },
    "peer_ipv6",
    "Leave out the zone %eth0: it names an interface of your own machine.",
  ],
  [
    { peer_ipv6: "::ffff:172.20.0.1" },
    "peer_ipv6",
    "An IPv4-mapped IPv6 address never appears on a wire. Enter the IPv4 address in its own field.",
  ],
  [
    { peer_ipv6: "2001:DB8::1" },
    "peer_ipv6",
    "2001:db8::1 is outside fe80::/64 and the network's range fd00::/8.",
  ],
  [
    { peer_ipv6: "fd00:1::" },
    "peer_ipv6",
    "fd00:1:: is the subnet-router anycast address of its /64. Choose another one.",
  ],
  [{ peer_ipv6: "fd42:d42::5" }, "peer_ipv6", "fd42:d42::5 belongs to us. Enter one of your own addresses."],
  [
    { peer_ipv6: "fe80::2227" },
    "peer_ipv6",
    "fe80::2227 is the node's own side of this tunnel. Choose another address for yours.",
  ],
  [
    { peer_ipv6: "fe80::9", local_ipv6: "FE80::9" },
    "peer_ipv6",
    "fe80::9 is the node's own side of this tunnel. Choose another address for yours.",
  ],
])("%j is rejected", (change, field, message) => {
  expect(errorOf(change)).toEqual({ field, message });
});

function fieldsOf(change: Partial<PeerUpdate>): readonly string[] {
  const checked = checkPeerUpdate({ ...validUpdate, ...change }, peeringContext);
  return checked.ok ? [] : checked.errors.map(({ field }) => field);
}

test("every invalid field has an error, in the order of the form", () => {
  const invalid = { remote_ip: "", remote_port: "", public_key: "", peer_ipv4: "8.8.8.8", peer_ipv6: "x" };
  expect(fieldsOf({ ...invalid, local_ipv6: "y" })).toEqual([
    "remote_ip",
    "remote_port",
    "public_key",
    "peer_ipv4",
    "peer_ipv6",
    "local_ipv6",
  ]);
  expect(fieldsOf({ remote_port: "", peer_ipv6: "fe80::2227" })).toEqual(["remote_port", "peer_ipv6"]);
  // An invalid address of the node's side is not replaced by the node's own one.
  expect(fieldsOf({ peer_ipv6: "fe80::2227", local_ipv6: "y" })).toEqual(["local_ipv6"]);
});

test.each([
  ["remote_ip", "router.dn42", /exists only inside the network/],
  ["remote_ip", "2001:db8::1", /^IPv6 addresses are not accepted here/],
  ["remote_ip", "10.0.0.1", /is a private address/],
  ["remote_port", "080", /without leading zeros/],
  ["public_key", "YWJj", /^Not a WireGuard public key/],
  ["peer_ipv4", "8.8.8.8", /outside the network's ranges/],
  ["peer_ipv6", "fe80::1%wg0", /^Leave out the zone/],
  ["local_ipv6", "2001:db8::1", /outside fe80/],
] as const)("%s %s is explained without the node and the provider", (field, text, explanation) => {
  expect(explainInvalidText(field, text)).toMatch(explanation);
});

test.each(["remote_ip", "remote_port", "public_key", "peer_ipv4", "peer_ipv6"] as const)(
  "nothing is said about a valid %s, or one that only the server can judge",
  (field) => {
    expect(explainInvalidText(field, validUpdate[field])).toBeNull();
  },
);

test("documentation addresses are valid only if the profile allows them", () => {
  expect(requestOf({ remote_ip: "203.0.113.7" }).endpointHost).toBe("203.0.113.7");
  expect(
    errorOf({ remote_ip: "203.0.113.7" }, { ...peeringContext, allowDocumentation: false })?.message,
  ).toBe("203.0.113.7 is a documentation address. Enter the public address of your router.");
});

test.each([
  ["192.0.2.2", "endpoint-is-node"],
  ["192.0.2.9", "endpoint-is-provider"],
  ["127.0.0.1", "endpoint-not-public"],
  ["::1", "endpoint-not-public"],
  ["::ffff:169.254.169.254", "endpoint-not-public"],
  ["2a00::1", null],
  ["9.9.9.9", null],
])("a name that resolves to %s: %s", (text, code) => {
  const address = parseAddress(text);
  expect(address && findEndpointFault(address, peeringContext)).toBe(code);
});

test("routed addresses are listed for the registry check, link-local ones are not", () => {
  const checked = checkPeerUpdate({ ...validUpdate, local_ipv6: "fd00:9::1" }, peeringContext);
  expect(checked).toMatchObject({
    ok: true,
    routed: [
      { field: "peer_ipv4", address: "172.20.1.1" },
      { field: "local_ipv6", address: "fd00:9::1" },
    ],
  });
});

test("a request is completed with the provider's choices", () => {
  expect(completePeering(requestOf({ peer_ipv6: "" }), peeringContext.node, free, null)).toEqual({
    ok: true,
    peering: {
      asn: "4242420001",
      addressFamily: "Both",
      extendedNextHop: false,
      endpointHost: "router.example.org",
      endpointPort: 51820,
      publicKey: validKey,
      listenPort: 20001,
      peerIpv4: "172.20.1.1",
      peerIpv6: "fe80::1",
      localIpv4: "172.20.16.1",
      localIpv6: "fe80::2227",
    },
  });
});

test.each([
  ["keeps its port", [20_001], 20_002],
  ["gets another port if something else on the node uses it", [20_002], 20_001],
])("an edited peering %s", (_, occupied, listenPort) => {
  const taken = { ...free, ports: new Set(occupied) };
  expect(completePeering(requestOf({}), peeringContext.node, taken, 20_002)).toMatchObject({
    ok: true,
    peering: { listenPort },
  });
});

test.each([
  [
    "key",
    { ...free, publicKeys: new Set([validKey]) },
    {
      field: "public_key",
      message: "This key is already used by another participant. Every participant needs their own key.",
    },
  ],
  [
    "IPv4 address",
    { ...free, peerAddresses: new Set(["172.20.1.1"]) },
    {
      field: "peer_ipv4",
      message: "172.20.1.1 is already used on this node. Choose another address.",
    },
  ],
  [
    "IPv6 address",
    { ...free, peerAddresses: new Set(["fe80::1"]) },
    { field: "peer_ipv6", message: "fe80::1 is already used on this node. Choose another address." },
  ],
])("a %s of another participant is rejected", (_, taken, error) => {
  expect(completePeering(requestOf({}), peeringContext.node, taken, null)).toEqual({
    ok: false,
    errors: [error],
  });
});

test("every value that cannot be used on the node is an error", () => {
  const taken = {
    ports: new Set<number>(),
    peerAddresses: new Set(["172.20.1.1", "fe80::1"]),
    publicKeys: new Set([validKey]),
  };
  const node = { ...peeringContext.node, tunnelIpv4: null };
  const completed = completePeering(requestOf({}), node, taken, null);
  expect(completed.ok ? [] : completed.errors.map(({ field }) => field)).toEqual([
    "address_family",
    "public_key",
    "peer_ipv4",
    "peer_ipv6",
  ]);
});

test("a node without an IPv4 tunnel address accepts IPv6, and Both with extended next hop", () => {
  const node = { ...peeringContext.node, tunnelIpv4: null };
  expect(completePeering(requestOf({}), node, free, null)).toEqual({
    ok: false,
    errors: [
      {
        field: "address_family",
        message: "This node has no IPv4 tunnel address. Choose IPv6, or Both with Extended Nexthop.",
      },
    ],
  });
  expect(completePeering(requestOf({ bgp_extnh: "Yes" }), node, free, null)).toMatchObject({ ok: true });
  expect(completePeering(requestOf({ address_family: "IPv6" }), node, free, null)).toMatchObject({
    ok: true,
  });
});

test("a node without a free port is an error", () => {
  const ports = new Set(Array.from({ length: 65_536 }, (_, port) => port));
  expect(completePeering(requestOf({}), peeringContext.node, { ...free, ports }, null)).toEqual({
    ok: false,
    errors: [{ field: "node", message: "This node has no free port left. Choose another node." }],
  });
});

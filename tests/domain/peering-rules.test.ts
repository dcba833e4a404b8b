import { expect, test } from "vitest";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { completePeering, type TakenValues } from "../../src/domain/peering/complete-peering.ts";
import { checkPeerUpdate, type PeeringContext } from "../../src/domain/peering/check-peer-update.ts";
import type { PeeringRequest } from "../../src/domain/peering/fields/peering-request.ts";
import { explainInvalidText, findEndpointFault } from "../../src/domain/peering/peering-rules.ts";
import { parseAddress } from "../../src/domain/prefix.ts";
import { lowOrderKeys, nodeKey, validKey } from "../support/fixtures/hostile-input.ts";
import { noRequestOptions } from "../support/fixtures/no-options.ts";
import { peeringContext, validPeering, validUpdate } from "../support/fixtures/peering-context.ts";

const free: TakenValues = { ports: new Set(), peerAddresses: new Set(), publicKeys: new Set() };

const check = (change: Partial<PeerUpdate>, context: PeeringContext = peeringContext) =>
  checkPeerUpdate({ ...validUpdate, ...change }, context);

function requestOf(...given: Parameters<typeof check>): PeeringRequest {
  const checked = check(...given);
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  return checked.request;
}

function errorsOf(...given: Parameters<typeof check>) {
  const checked = check(...given);
  return checked.ok ? [] : checked.errors;
}

const errorOf = (...given: Parameters<typeof check>) => errorsOf(...given)[0];

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
  const probed = requestOf({ probe_address: "FD00:9:0::53" });
  expect(probed.probeAddress).toBe("fd00:9::53");
  expect(requestOf({}, { ...peeringContext, current: probed })).toEqual(probed);
  expect(requestOf({ probe_address: "" }, { ...peeringContext, current: probed })).toEqual(requestOf({}));
  // A peering of an older version has no such value.
  const { probeAddress: _absent, ...older } = requestOf({});
  expect(requestOf({}, { ...peeringContext, current: older })).toEqual(requestOf({}));
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
  for (const half of [{ remote_ip: "" }, { remote_port: "" }, {}])
    expect(errorOf({ no_endpoint: "Yes", ...half })?.field).toBe("no_endpoint");
});

test("an edit says that the server has lost the pre-shared key, unless it replaces or removes it", () => {
  const current = { ...requestOf({}), presharedKey: "unknown" } as const;
  const context: PeeringContext = { ...peeringContext, current };
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
  const hidden = { peer_ipv6: "nonsense", local_ipv6: "nonsense" };
  const { peerIpv6, customLocalIpv6 } = requestOf({ address_family: "IPv4", ...hidden });
  expect([peerIpv6, customLocalIpv6]).toEqual([null, null]);
  const { peerIpv4, extendedNextHop } = requestOf({ bgp_extnh: "Yes", peer_ipv4: "nonsense" });
  expect([peerIpv4, extendedNextHop]).toEqual([null, true]);
});

const rejected: ReadonlyArray<Partial<PeerUpdate>> = [
  { remote_ip: "nonsense" },
  { remote_ip: "per01.EXAMPLE.net" },
  { remote_ip: "192.0.2.14" },
  { remote_ip: "192.168.0.1" },
  { remote_ip: "Router.Local" },
  { remote_ip: "Router.dn42" },
  { remote_ip: "[2001:db8::1]" },
  { remote_ip: "https://router.example.org" },
  { remote_ip: "router.example.org:51820" },
  { remote_port: "0" },
  { public_key: "AAAA" },
  { public_key: lowOrderKeys[0] },
  { public_key: nodeKey },
  { peer_ipv4: "8.8.8.8" },
  { peer_ipv4: "172.20.16.1" },
  { peer_ipv4: "172.20.16.2" },
  { peer_ipv4: "" },
  { peer_ipv4: "172.20.1.1/32" },
  { bgp_extnh: "Yes", peer_ipv6: "" },
  { peer_ipv6: "fe80::1%eth0" },
  { peer_ipv6: "::ffff:172.20.0.1" },
  { peer_ipv6: "2001:DB8::1" },
  { peer_ipv6: "fd00:1::" },
  { peer_ipv6: "fd42:d42::5" },
  { peer_ipv6: "fe80::2227" },
  { peer_ipv6: "fe80::9", local_ipv6: "FE80::9" },
  { peer_ipv6: "fe80::2227", local_ipv6: "fe80::9" },
  { peer_ipv6: "fe80:1:2:3::", local_ipv6: "fe80::9" },
  { peer_ipv6: "fec0::1" },
  { no_endpoint: "Yes" },
  { probe_address: "172.20.2.0/24" },
  { probe_address: "fd00:1::1%dn42" },
  { probe_address: "router.example.org" },
  { probe_address: "9.9.9.9" },
  { probe_address: "172.20.1.1" },
  { probe_address: "FD42:D42::5" },
];

test("the error of each invalid value", async () => {
  const errors = rejected.map((change) => {
    const error = errorOf(change);
    return `${JSON.stringify(change)}\n  ${error?.field}: ${error?.message}\n`;
  });
  await expect(errors.join("")).toMatchFileSnapshot("golden/update-errors.txt");
});

const fieldsOf = (change: Partial<PeerUpdate>) => errorsOf(change).map(({ field }) => field);

test("every invalid field has an error, in the order of the form", () => {
  const invalid = { remote_ip: "", remote_port: "", public_key: "", peer_ipv4: "8.8.8.8", peer_ipv6: "x" };
  expect(fieldsOf({ ...invalid, local_ipv6: "y" })).toEqual([...Object.keys(invalid), "local_ipv6"]);
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

test("nothing is said about a valid text, or one that only the server can judge", () => {
  const fields = ["remote_ip", "remote_port", "public_key", "peer_ipv4", "peer_ipv6"] as const;
  expect(fields.filter((field) => explainInvalidText(field, validUpdate[field]) !== null)).toEqual([]);
});

test("documentation addresses are valid only if the profile allows them", () => {
  const update = { remote_ip: "203.0.113.7" };
  expect(requestOf(update).endpointHost).toBe("203.0.113.7");
  const { message } = errorOf(update, { ...peeringContext, allowDocumentation: false }) ?? {};
  expect(message).toBe("203.0.113.7 is a documentation address. Enter the public address of your router.");
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
  const ipv4 = { field: "peer_ipv4", address: "172.20.1.1" };
  const ipv6 = { field: "local_ipv6", address: "fd00:9::1" };
  expect(check({ local_ipv6: "fd00:9::1" })).toMatchObject({ ok: true, routed: [ipv4, ipv6] });
});

test("every link-local address of fe80::/10 is accepted, on both sides", () => {
  for (const peer_ipv6 of ["fe80:1::5", "fe80:0:0:1::5", "FEBF:ffff::1"])
    expect(requestOf({ peer_ipv6, local_ipv6: "fe9f::1" }).peerIpv6).toBe(peer_ipv6.toLowerCase());
});

test("a request is completed with the provider's choices", () => {
  const completed = completePeering(requestOf({ peer_ipv6: "" }), peeringContext.node, free, null);
  expect(completed).toEqual({ ok: true, peering: validPeering });
});

test.each([
  ["keeps its port", [20_001], 20_002],
  ["gets another port if something else on the node uses it", [20_002], 20_001],
])("an edited peering %s", (_, occupied, listenPort) => {
  const taken = { ...free, ports: new Set(occupied) };
  const completed = completePeering(requestOf({}), peeringContext.node, taken, 20_002);
  expect(completed).toMatchObject({ ok: true, peering: { listenPort } });
});

test("the errors of values that cannot be used on the node", async () => {
  const { node } = peeringContext;
  const withoutIpv4 = { ...node, tunnelIpv4: null };
  const publicKeys = new Set([validKey]);
  const ports = new Set(Array.from({ length: 65_536 }, (_, port) => port));
  const cases = [
    ["a used key", node, { ...free, publicKeys }],
    ["a used IPv4 address", node, { ...free, peerAddresses: new Set(["172.20.1.1"]) }],
    ["a used IPv6 address", node, { ...free, peerAddresses: new Set(["fd42:1::1"]) }],
    ["no IPv4 tunnel address", withoutIpv4, free],
    [
      "all of these",
      withoutIpv4,
      { ...free, publicKeys, peerAddresses: new Set(["172.20.1.1", "fd42:1::1"]) },
    ],
    ["a probed address of another participant", node, { ...free, peerAddresses: new Set(["172.20.1.9"]) }],
    ["no free port", node, { ...free, ports }],
  ] as const;
  const texts = cases.map(([what, at, taken]) => {
    const request = requestOf({ peer_ipv6: "fd42:1::1", probe_address: "172.20.1.9" });
    const completed = completePeering(request, at, taken, null);
    const errors = completed.ok ? [] : completed.errors;
    return [what, ...errors.map(({ field, message }) => `  ${field}: ${message}`), ""].join("\n");
  });
  await expect(texts.join("")).toMatchFileSnapshot("golden/completion-errors.txt");
});

test.each([{ bgp_extnh: "Yes" }, { address_family: "IPv6" }] as const)(
  "a node without an IPv4 tunnel address accepts %j",
  (change) => {
    const node = { ...peeringContext.node, tunnelIpv4: null };
    expect(completePeering(requestOf(change), node, free, null)).toMatchObject({ ok: true });
  },
);

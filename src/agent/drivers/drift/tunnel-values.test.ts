import { expect, test } from "vitest";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { configFor } from "../wireguard/render.ts";
import type { ActualTunnel } from "../wireguard/tunnel-state.ts";
import { findDriftedValues, movedEndpoint } from "./tunnel-values.ts";

const keys = { privateKeyOf: () => "PRIVATE=" };
const tunnel = routed(peeringOf(1));
const configured = "198.51.100.1:51820";
const elsewhere = "203.0.113.9:4242";

const link = { up: true, mtu: 1420, addresses: ["fe80::2227/64"] };

/** A tunnel that runs as it was set, with the age of its last handshake in seconds. */
function actual(
  changed: Partial<ActualTunnel> = {},
  endpoint: string | null = configured,
  age: number | null = 10,
) {
  const latestHandshake = age === null ? null : Math.floor(Date.now() / 1000) - age;
  const config = configFor(tunnel, keys.privateKeyOf());
  const peers = config.peers.map((peer) => ({ ...peer, endpoint, latestHandshake, rxBytes: 0, txBytes: 0 }));
  return { link, state: { ...config, peers }, hasWrongSettings: false, ...changed };
}

test.each([
  ["nothing", actual(), []],
  ["a missing interface", actual({ link: undefined, state: undefined }), ["link"]],
  ["an interface that is down", actual({ link: { ...link, up: false, addresses: [] } }), ["link"]],
  [
    "an address too many",
    actual({ link: { ...link, addresses: ["10.0.0.1/32", ...link.addresses] } }),
    ["addresses"],
  ],
  [
    "values of three parts",
    actual({ link: { ...link, mtu: 1280 }, state: undefined, hasWrongSettings: true }),
    ["mtu", "wireguard", "settings"],
  ],
])("%s", (_, found, values) => {
  expect(findDriftedValues(found, tunnel, keys)).toEqual(values);
});

test.each([
  ["replies from the configured address", configured, 10, [], null],
  ["moved, and replies", elsewhere, 135, [], elsewhere],
  ["moved, and is silent since", elsewhere, 136, ["endpoint"], null],
  ["was never heard", configured, null, [], null],
  ["was never heard, and another endpoint was set", elsewhere, null, ["endpoint"], null],
  ["lost its endpoint", null, null, ["endpoint"], null],
])("a participant who %s", (_, endpoint, age, values, moved) => {
  const found = actual({}, endpoint, age);
  expect(findDriftedValues(found, tunnel, keys)).toEqual(values);
  expect(movedEndpoint(found.state, tunnel)).toBe(moved);
});

test("a participant without an endpoint has the one from which it connected", () => {
  const behindNat = routed(peeringOf(1, { endpointHost: null, endpointPort: null }), null);
  const config = configFor(behindNat, keys.privateKeyOf());
  const peers = config.peers.map((peer) => ({
    ...peer,
    endpoint: elsewhere,
    latestHandshake: 1,
    rxBytes: 0,
    txBytes: 0,
  }));
  expect(findDriftedValues(actual({ state: { ...config, peers } }), behindNat, keys)).toEqual([]);
});

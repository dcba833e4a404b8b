import { expect, test } from "vitest";
import { peeringOf, routed } from "../../fixtures/peerings.ts";
import { configFor } from "../wireguard/render.ts";
import { createTunnelRepairs } from "./tunnel-repairs.ts";

const keys = { privateKeyOf: () => "PRIVATE=" };
const name = "dn42_4242420001";
const tunnel = routed(peeringOf(1));
const { asn } = tunnel.peering;

/** A kernel in which the tunnel lost its address and its MTU, and the participant moved. */
const kernel = () => {
  const config = configFor(tunnel, keys.privateKeyOf());
  const [endpoint, latestHandshake] = ["203.0.113.9:4242", Math.floor(Date.now() / 1000)];
  const peers = config.peers.map((peer) => ({ ...peer, endpoint, latestHandshake, rxBytes: 0, txBytes: 0 }));
  return {
    links: new Map([[name, { up: true, mtu: 1300, addresses: [] }]]),
    states: new Map([[name, { ...config, peers }]]),
    wrongSettings: new Set([name]),
  };
};

test("a repair leaves a contested value as it is, and a change of the tunnel sets it", () => {
  const repairs = createTunnelRepairs(keys);
  repairs.finish();
  const held = new Set(["mtu", "settings"] as const);
  repairs.plan(new Map([[asn, tunnel]]), new Map([[asn, { held, isRepeated: true }]]));
  const repair = repairs.statesOf(tunnel, kernel());
  expect(repair.actual).toEqual({ ...repair.desired, addresses: [] });
  expect(repair.desired.config).toContain("Endpoint = 203.0.113.9:4242");
  expect(repairs.isRepeated(asn)).toBe(true);

  const edited = routed(peeringOf(1, { mtu: 1280 }));
  const change = repairs.statesOf(edited, kernel());
  expect(change.actual).toMatchObject({ mtu: 1300, addresses: [], hasWrongSettings: true });
  expect(change.actual?.config).not.toBe(change.desired.config);
  expect(change.desired.config).toContain("Endpoint = 198.51.100.1:51820");
});

test("after a change, a tunnel that is not known keeps a moved endpoint only in a repair or at the agent's start", () => {
  const repairs = createTunnelRepairs(keys);
  expect(repairs.statesOf(tunnel, kernel()).desired.config).toContain("Endpoint = 203.0.113.9:4242");
  repairs.finish();
  expect(repairs.statesOf(tunnel, kernel()).desired.config).toContain("Endpoint = 198.51.100.1:51820");
});

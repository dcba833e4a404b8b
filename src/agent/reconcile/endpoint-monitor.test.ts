import { afterEach, beforeEach, expect, test } from "vitest";
import { type PeeringObservation, RouterRefusedError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { database, peeringOf, routed, rules } from "../fixtures/peerings.ts";
import { createReconcilerScene, type ReconcilerScene } from "../fixtures/reconciler-scene.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { type EndpointMonitor, monitorEndpoints } from "./endpoint-monitor.ts";
import type { Reconciler } from "./reconciler.ts";

const name = "home.example.net";
const asn = "4242420001";
const [before, after] = ["198.51.100.50", "198.51.100.51"];
/** With a hostname, a literal address, and without an endpoint. */
const endpoints = [
  routed(peeringOf(1, { endpointHost: name }), before),
  routed(peeringOf(2)),
  routed(peeringOf(3, { endpointHost: null, endpointPort: null })),
];
const saved = endpoints.map((each) => ({ asn: each.peering.asn, generation: 1, routed: each, database }));

let clock: ManualClock;
let scene: ReconcilerScene;
let reconciler: Reconciler;
let monitor: EndpointMonitor;
let addresses: string[];
let resolved: string[];
let age: number | null;

beforeEach(async () => {
  clock = createManualClock();
  scene = createReconcilerScene(saved);
  addresses = [before];
  resolved = [];
  age = 200;
  reconciler = await scene.open();
  monitor = monitorEndpoints({
    reconciler,
    observe: async () => saved.map((each) => observed(each.asn)),
    lookup: {
      resolver: async (host) => {
        resolved.push(host);
        return addresses;
      },
      rules,
      clock,
    },
    events: scene.events,
    clock,
    log,
  });
});
afterEach(() => monitor[Symbol.asyncDispose]());

function observed(of: string): PeeringObservation {
  return { asn: of, rxBytes: 0, txBytes: 0, handshakeAgeSeconds: age, sessions: [] };
}

const endpoint = () => scene.router.running()[0]?.endpointAddress;

test("resolves a hostname again when its handshake is older than 135 s, and never a literal address or a missing one", async () => {
  age = 135;
  await clock.advance(30_000);
  expect(resolved).toEqual([]);
  age = 136;
  await clock.advance(30_000);
  expect(resolved).toEqual([name]);
  age = null;
  await clock.advance(30_000);
  expect(resolved).toEqual([name, name]);
});

test("gives a changed address to the router and saves it, and keeps the previous one if that refuses", async () => {
  scene.router.script = () => {
    throw new RouterRefusedError({ code: "bird-refused", facts: {} });
  };
  addresses = [after];
  await clock.advance(30_000);
  expect(endpoint()).toBe(before);
  scene.router.script = () => {};
  await clock.advance(30_000);
  expect(endpoint()).toBe(after);
  expect(reconciler.applied().get(asn)).toMatchObject({ generation: 1, routed: { endpointAddress: after } });
  expect(scene.events.all).toEqual([
    { kind: "endpoint-change-failed", asn, address: after },
    { kind: "endpoint-changed", asn, address: after },
  ]);
});

test("reports a hostname that does not resolve until it does, and stops sleeping when disposed", async () => {
  addresses = [];
  await clock.advance(30_000);
  expect([...monitor.findings()]).toEqual([[asn, { code: "endpoint-unresolved", facts: { host: name } }]]);
  expect([endpoint(), scene.events.all]).toEqual([before, []]);
  addresses = [before];
  await clock.advance(30_000);
  expect([...monitor.findings()]).toEqual([]);
  await monitor[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

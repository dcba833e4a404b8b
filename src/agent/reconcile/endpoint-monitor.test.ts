import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Finding } from "../../domain/findings/findings.ts";
import { type PeeringObservation, RouterRefusedError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { database, peeringOf, routed, rules, sender } from "../fixtures/peerings.ts";
import { createReconcilerScene, type ReconcilerScene } from "../fixtures/reconciler-scene.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { desiredChange } from "./change.ts";
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
let leftOut: Finding | undefined;
let whileResolving: () => void;

beforeEach(async () => {
  clock = createManualClock();
  scene = createReconcilerScene(saved);
  addresses = [before];
  resolved = [];
  age = 200;
  leftOut = undefined;
  whileResolving = () => {};
  reconciler = await scene.open();
  monitor = open();
});
afterEach(() => monitor[Symbol.asyncDispose]());

function open(): EndpointMonitor {
  return monitorEndpoints({
    reconciler,
    observe: async () => saved.map((each) => observed(each.asn)),
    lookup: {
      resolver: async (host) => {
        resolved.push(host);
        whileResolving();
        return addresses;
      },
      rules,
      clock,
    },
    events: scene.events,
    clock,
    log,
  });
}

function observed(of: string): PeeringObservation {
  const left = leftOut && { leftOut };
  return { asn: of, ...left, rxBytes: 0, txBytes: 0, handshakeAgeSeconds: age, sessions: [] };
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

/** The address that the router has, and the family that had no handshake. */
const choice = () => [endpoint(), reconciler.applied().get(asn)?.routed?.silentFamily];

describe("a hostname with both address families", () => {
  const [a, aaaa] = [before, "2001:db8::50"];
  beforeEach(() => {
    addresses = [a, aaaa];
    age = null;
  });

  test("has the other one tried after 30 s without a handshake, and the first again after 30 s more", async () => {
    await clock.advance(25_000);
    expect([choice(), resolved]).toEqual([[a, undefined], []]);
    await clock.advance(5_000);
    expect(choice()).toEqual([aaaa, "IPv4"]);
    await clock.advance(30_000);
    expect(choice()).toEqual([aaaa, "IPv4"]);
    await clock.advance(5_000);
    expect(choice()).toEqual([a, undefined]);
    const setCalls = scene.router.setCalls.length;
    await clock.advance(600_000);
    expect(scene.router.setCalls.length - setCalls).toBeLessThanOrEqual(600 / 30);
    // It is no news of the participant's name.
    expect(scene.events.all).toEqual([]);
  });

  test("keeps the one with a handshake, across a restart of the agent, until it is stale", async () => {
    await clock.advance(30_000);
    age = 135;
    await monitor[Symbol.asyncDispose]();
    reconciler = await scene.open();
    monitor = open();
    await clock.advance(600_000);
    expect([choice(), resolved]).toEqual([[aaaa, "IPv4"], [name]]);
    age = 136;
    await clock.advance(30_000);
    expect(choice()).toEqual([a, undefined]);
  });

  test("is not moved by a handshake that comes while the name is resolved, or by a tunnel that the node cannot set up", async () => {
    whileResolving = () => (age = 0);
    await clock.advance(30_000);
    expect([choice(), resolved]).toEqual([[a, undefined], [name]]);
    whileResolving = () => {};
    age = null;
    leftOut = { code: "tunnel-cannot-start", facts: {} };
    await clock.advance(600_000);
    expect(choice()).toEqual([a, undefined]);
  });

  test("counts 30 s from the deployment that set the endpoint, and takes an address that replaces another at once", async () => {
    await clock.advance(20_000);
    const desired = peeringOf(1, { endpointHost: name, endpointPort: 4000 });
    await reconciler.apply(desiredChange({ ...sender, asn, generation: 2, desired }, routed(desired, a)));
    await clock.advance(25_000);
    expect(choice()).toEqual([a, undefined]);
    await clock.advance(10_000);
    expect(choice()).toEqual([aaaa, "IPv4"]);
    addresses = [a, "2001:db8::51"];
    await clock.advance(35_000);
    expect(choice()).toEqual(["2001:db8::51", "IPv4"]);
    expect(scene.events.all).toEqual([{ kind: "endpoint-changed", asn, address: "2001:db8::51" }]);
  });
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { type PeeringObservation, RouterRefusedError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { database, peeringOf, routed, rules } from "../fixtures/peerings.ts";
import { createRecordedEvents, type RecordedEvents } from "../fixtures/recorded-events.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";
import { type EndpointMonitor, monitorEndpoints } from "./endpoint-monitor.ts";

const name = "home.example.net";
let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let monitor: EndpointMonitor;
let events: RecordedEvents;
let addresses: string[];
let resolved: string[];
let age: number | null;

beforeEach(async () => {
  clock = createManualClock();
  router = createScriptedRouter();
  events = createRecordedEvents();
  addresses = ["198.51.100.50"];
  resolved = [];
  age = 10;
  const store = createMemoryStore([
    {
      asn: "4242420001",
      generation: 1,
      routed: routed(peeringOf(1, { endpointHost: name }), "198.51.100.50"),
      database,
    },
    { asn: "4242420002", generation: 1, routed: routed(peeringOf(2)), database },
    {
      asn: "4242420003",
      generation: 1,
      routed: routed(peeringOf(3, { endpointHost: null, endpointPort: null })),
      database,
    },
  ]);
  reconciler = await openReconciler({ router, store, events, log });
  monitor = monitorEndpoints({
    reconciler,
    observe: async () => ["4242420001", "4242420002", "4242420003"].map(observed),
    lookup: {
      resolver: async (host) => {
        resolved.push(host);
        return addresses;
      },
      rules,
      clock,
    },
    events,
    clock,
    log,
  });
});
afterEach(() => monitor[Symbol.asyncDispose]());

function observed(asn: string): PeeringObservation {
  return { asn, rxBytes: 0, txBytes: 0, handshakeAgeSeconds: age, latencyMs: null, sessions: [] };
}

const endpoint = () => router.running()[0]?.endpointAddress;

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

test("gives a changed address to the router and saves it", async () => {
  age = 200;
  addresses = ["198.51.100.51"];
  await clock.advance(30_000);
  expect(endpoint()).toBe("198.51.100.51");
  expect(reconciler.applied().get("4242420001")).toMatchObject({
    generation: 1,
    routed: { endpointAddress: "198.51.100.51" },
  });
  expect(events.all).toEqual([{ kind: "endpoint-changed", asn: "4242420001", address: "198.51.100.51" }]);
});

test("records an address that the router refuses, and keeps the previous one", async () => {
  age = 200;
  addresses = ["198.51.100.51"];
  router.script = () => {
    throw new RouterRefusedError({ code: "bird-refused", facts: {} });
  };
  await clock.advance(30_000);
  expect(endpoint()).toBe("198.51.100.50");
  expect(events.all).toEqual([
    { kind: "endpoint-change-failed", asn: "4242420001", address: "198.51.100.51" },
  ]);
});

test("keeps the endpoint when the name changes to an address of the provider", async () => {
  age = 200;
  addresses = ["203.0.113.1"];
  await clock.advance(30_000);
  expect(resolved).toEqual([name]);
  expect(endpoint()).toBe("198.51.100.50");
  expect(events.all).toEqual([]);
});

test("reports a hostname that does not resolve, until it does", async () => {
  age = null;
  addresses = [];
  await clock.advance(30_000);
  expect([...monitor.findings()]).toEqual([
    ["4242420001", { code: "endpoint-unresolved", facts: { host: name } }],
  ]);
  addresses = ["198.51.100.50"];
  await clock.advance(30_000);
  expect([...monitor.findings()]).toEqual([]);
});

test("stops sleeping when disposed", async () => {
  await monitor[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

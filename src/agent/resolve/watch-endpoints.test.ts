import { afterEach, beforeEach, expect, test } from "vitest";
import type { PeeringObservation } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { peeringOf, routed, rules } from "../fixtures/peerings.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { openReconciler, type Reconciler } from "../reconcile/reconciler.ts";
import { watchEndpoints } from "./watch-endpoints.ts";

const name = "home.example.net";
let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let watch: AsyncDisposable;
let addresses: string[];
let asked: string[];
let age: number | null;

beforeEach(async () => {
  clock = createManualClock();
  router = createScriptedRouter();
  addresses = ["198.51.100.50"];
  asked = [];
  age = 10;
  const store = createMemoryStore([
    {
      asn: "4242420001",
      generation: 1,
      routed: routed(peeringOf(1, { endpointHost: name }), "198.51.100.50"),
    },
    { asn: "4242420002", generation: 1, routed: routed(peeringOf(2)) },
  ]);
  reconciler = await openReconciler({ router, store, log });
  watch = watchEndpoints({
    reconciler,
    observe: async () => ["4242420001", "4242420002"].map(observed),
    lookup: {
      resolver: async (host) => {
        asked.push(host);
        return addresses;
      },
      rules,
      clock,
    },
    clock,
    log,
  });
});
afterEach(() => watch[Symbol.asyncDispose]());

function observed(asn: string): PeeringObservation {
  return { asn, rxBytes: 0, txBytes: 0, handshakeAgeSeconds: age, latencyMs: null, sessions: [] };
}

const endpoint = () => router.running()[0]?.endpointAddress;

test("a name is asked for again when its handshake is older than 135 s, and literals never", async () => {
  age = 135;
  await clock.advance(30_000);
  expect(asked).toEqual([]);
  age = 136;
  await clock.advance(30_000);
  expect(asked).toEqual([name]);
  age = null;
  await clock.advance(30_000);
  expect(asked).toEqual([name, name]);
});

test("an address that moved is given to the router and kept", async () => {
  age = 200;
  addresses = ["198.51.100.51"];
  await clock.advance(30_000);
  expect(endpoint()).toBe("198.51.100.51");
  expect(reconciler.held().get("4242420001")).toMatchObject({
    generation: 1,
    routed: { endpointAddress: "198.51.100.51" },
  });
});

test("a name that moved to an address of ours leaves the endpoint where it was", async () => {
  age = 200;
  addresses = ["203.0.113.1"];
  await clock.advance(30_000);
  expect(asked).toEqual([name]);
  expect(endpoint()).toBe("198.51.100.50");
});

test("it sleeps no more once it is disposed", async () => {
  await watch[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

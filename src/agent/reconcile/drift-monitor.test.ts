import { afterEach, beforeEach, expect, test } from "vitest";
import { RouterUnavailableError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { peeringOf, routed } from "../fixtures/peerings.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { monitorDrift } from "./drift-monitor.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";

let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let monitor: AsyncDisposable;

async function open(prepare: () => void = () => {}): Promise<void> {
  clock = createManualClock();
  router = createScriptedRouter();
  prepare();
  const store = createMemoryStore([{ asn: "4242420001", generation: 1, routed: routed(peeringOf(1)) }]);
  reconciler = await openReconciler({ router, store, log });
  monitor = monitorDrift({ reconciler, clock });
}
beforeEach(() => open());
afterEach(() => monitor[Symbol.asyncDispose]());

const gone = "Tunnels that are missing or were changed: 1.";
const fail = () => {
  throw new Error("no space left on device");
};

test("does nothing while the router runs the applied state", async () => {
  await clock.advance(60_000);
  expect(router.setCalls).toHaveLength(1);
  expect(reconciler.outOfSyncReason()).toBeNull();
});

test("applies the state again after drift, and reports the drift until then", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  expect(reconciler.outOfSyncReason()).toBe(
    "The router does not run the confirmed configuration: no space left on device",
  );
  router.script = () => {};
  await clock.advance(10_000);
  expect(router.setCalls).toEqual([["4242420001"], ["4242420001"], ["4242420001"]]);
  expect(reconciler.outOfSyncReason()).toBeNull();
});

test("retries a repair that does not last with backoff, and reports the drift in between", async () => {
  let setCount = router.setCalls.length;
  const pauses: number[] = [];
  let waited = 0;
  for (let check = 0; check < 30; check += 1) {
    router.drifted = [gone];
    await clock.advance(10_000);
    waited += 10;
    if (router.setCalls.length === setCount) {
      expect(reconciler.outOfSyncReason()).toBe(
        `The router drifted from the confirmed configuration, which is being applied again. ${gone}`,
      );
      continue;
    }
    setCount = router.setCalls.length;
    pauses.push(waited);
    waited = 0;
  }
  expect(pauses).toEqual([10, 10, 20, 40, 60, 60, 60]);
  router.drifted = [];
  await clock.advance(120_000);
  expect(reconciler.outOfSyncReason()).toBeNull();
  setCount = router.setCalls.length;
  router.drifted = [gone];
  await clock.advance(10_000);
  router.drifted = [gone];
  await clock.advance(10_000);
  expect(router.setCalls).toHaveLength(setCount + 2);
});

test("applies nothing while the router does not respond", async () => {
  await monitor[Symbol.asyncDispose]();
  await open(() => {
    router.script = fail;
    router.findDrift = () => Promise.reject(new RouterUnavailableError("BIRD's socket is not there."));
  });
  await clock.advance(600_000);
  expect(router.setCalls).toHaveLength(1);
  router.script = () => {};
  router.findDrift = async () => [];
  await clock.advance(10_000);
  expect(reconciler.outOfSyncReason()).toBeNull();
});

test("stops sleeping when disposed", async () => {
  await monitor[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { RouterUnavailable } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { peeringOf, routed } from "../fixtures/peerings.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { keepSettled } from "./keep-settled.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";

let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let keeper: AsyncDisposable;

async function open(prepare: () => void = () => {}): Promise<void> {
  clock = createManualClock();
  router = createScriptedRouter();
  prepare();
  const store = createMemoryStore([{ asn: "4242420001", generation: 1, routed: routed(peeringOf(1)) }]);
  reconciler = await openReconciler({ router, store, log });
  keeper = keepSettled({ reconciler, clock });
}
beforeEach(() => open());
afterEach(() => keeper[Symbol.asyncDispose]());

const gone = "Tunnels that are gone or were changed: 1.";
const fail = () => {
  throw new Error("no space left on device");
};

test("what the router runs is left alone", async () => {
  await clock.advance(60_000);
  expect(router.asked).toHaveLength(1);
  expect(reconciler.unsettled()).toBeNull();
});

test("what vanished is set again, and the node's health says so while it is not", async () => {
  router.strayed = [gone];
  router.script = fail;
  await clock.advance(10_000);
  expect(reconciler.unsettled()).toBe(
    "The router does not run the confirmed configuration: no space left on device",
  );
  router.script = () => {};
  await clock.advance(10_000);
  expect(router.asked).toEqual([["4242420001"], ["4242420001"], ["4242420001"]]);
  expect(reconciler.unsettled()).toBeNull();
});

test("what does not last is tried less and less often, and says so in between", async () => {
  let asked = router.asked.length;
  const pauses: number[] = [];
  let waited = 0;
  for (let look = 0; look < 30; look += 1) {
    router.strayed = [gone];
    await clock.advance(10_000);
    waited += 10;
    if (router.asked.length === asked) {
      expect(reconciler.unsettled()).toBe(
        `The router stopped running the confirmed configuration, which is set again. ${gone}`,
      );
      continue;
    }
    asked = router.asked.length;
    pauses.push(waited);
    waited = 0;
  }
  expect(pauses).toEqual([10, 10, 20, 40, 60, 60, 60]);
  router.strayed = [];
  await clock.advance(120_000);
  expect(reconciler.unsettled()).toBeNull();
  asked = router.asked.length;
  router.strayed = [gone];
  await clock.advance(10_000);
  router.strayed = [gone];
  await clock.advance(10_000);
  expect(router.asked).toHaveLength(asked + 2);
});

test("a router that does not answer is left alone until it does, however long that takes", async () => {
  await keeper[Symbol.asyncDispose]();
  await open(() => {
    router.script = fail;
    router.differences = () => Promise.reject(new RouterUnavailable("BIRD's socket is not there."));
  });
  await clock.advance(600_000);
  expect(router.asked).toHaveLength(1);
  router.script = () => {};
  router.differences = async () => [];
  await clock.advance(10_000);
  expect(reconciler.unsettled()).toBeNull();
});

test("it sleeps no more once it is disposed", async () => {
  await keeper[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

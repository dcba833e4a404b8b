import { afterEach, beforeEach, expect, test } from "vitest";
import type { Finding } from "../../domain/findings/findings.ts";
import { RouterUnavailableError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { database, peeringOf, routed } from "../fixtures/peerings.ts";
import { changeOf, createReconcilerScene } from "../fixtures/reconciler-scene.ts";
import type { RecordedEvents } from "../fixtures/recorded-events.ts";
import type { ScriptedRouter } from "../fixtures/scripted-router.ts";
import { monitorDrift } from "./drift-monitor.ts";
import type { Reconciler } from "./reconciler.ts";

let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let monitor: AsyncDisposable;
let events: RecordedEvents;
let isPaused: boolean;

/** Starts an agent whose router sets what it had before as the script says. */
async function open(script: ScriptedRouter["script"] = () => {}): Promise<void> {
  clock = createManualClock();
  isPaused = false;
  const asn = "4242420001";
  const scene = createReconcilerScene([{ asn, generation: 1, routed: routed(peeringOf(1)), database }]);
  ({ router, events } = scene);
  router.script = script;
  reconciler = await scene.open();
  monitor = monitorDrift({ reconciler, isPaused: async () => isPaused, clock });
}
async function reopen(script: ScriptedRouter["script"]): Promise<void> {
  await monitor[Symbol.asyncDispose]();
  await open(script);
}
beforeEach(() => open());
afterEach(() => monitor[Symbol.asyncDispose]());

const gone: Finding = { code: "tunnels-drifted", facts: { tunnels: 1 } };
const output = "no space left on device";
const notRestored: Finding = { code: "router-not-restored", facts: { output } };
const fail = () => {
  throw new Error(output);
};
const repairFailed = { kind: "router-repair-failed", asn: null, findings: [notRestored] };
const repaired = (finding: Finding) => ({ kind: "router-repaired", asn: null, findings: [finding] });

test("does nothing while the router runs the applied state, and stops sleeping when disposed", async () => {
  await clock.advance(60_000);
  expect(router.setCalls).toHaveLength(1);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(events.all).toEqual([]);
  await monitor[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

test("applies the state again after drift, and reports and records each attempt and what it repaired", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  expect(reconciler.outOfSyncFindings()).toEqual([notRestored]);
  router.drifted = [];
  router.script = (_, report) => report.repairedTunnel("4242420001");
  await clock.advance(60_000);
  expect(router.setCalls).toEqual([["4242420001"], ["4242420001"], ["4242420001"]]);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(events.all).toEqual([repairFailed, repaired(gone), { kind: "tunnel-repaired", asn: "4242420001" }]);
});

test("while repairs are paused, drift is neither found nor repaired; the next check after it repairs", async () => {
  isPaused = true;
  router.drifted = [gone];
  await clock.advance(120_000);
  expect(router.setCalls).toHaveLength(1);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  isPaused = false;
  await clock.advance(10_000);
  expect(events.all).toEqual([repaired(gone)]);
});

test("retries a repair that fails with backoff, and reports it in between", async () => {
  let setCount = router.setCalls.length;
  router.script = fail;
  const pauses: number[] = [];
  let waited = 0;
  for (let check = 0; check < 30; check += 1) {
    router.drifted = [gone];
    await clock.advance(10_000);
    waited += 10;
    if (router.setCalls.length === setCount) {
      expect(reconciler.outOfSyncFindings()).toEqual([{ code: "router-drifted", facts: {} }, gone]);
      continue;
    }
    setCount = router.setCalls.length;
    pauses.push(waited);
    waited = 0;
  }
  expect(pauses).toEqual([10, 10, 20, 40, 60, 60, 60]);
  router.script = () => {};
  router.drifted = [];
  await clock.advance(120_000);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  // What drifts after that is repaired with each check, as often as the router reports it.
  setCount = router.setCalls.length;
  for (let repair = 0; repair < 10; repair += 1) {
    router.drifted = [gone];
    await clock.advance(10_000);
    expect(reconciler.outOfSyncFindings()).toEqual([]);
  }
  expect(router.setCalls).toHaveLength(setCount + 10);
});

test("a repair against another program is recorded once, and further ones are none", async () => {
  const contested: Finding = {
    code: "value-contested",
    facts: { value: "mtu", names: ["dn42_4242420001"], count: 1 },
  };
  router.drifted = [contested];
  await clock.advance(10_000);
  for (let repair = 0; repair < 3; repair += 1) {
    router.drifted = [{ ...contested, isRepeated: true }];
    await clock.advance(60_000);
  }
  expect(events.all).toEqual([repaired(contested)]);
  router.drifted = [{ ...contested, isRepeated: true }, gone];
  await clock.advance(10_000);
  expect(router.setCalls).toHaveLength(6);
  expect(events.all).toEqual([repaired(contested), repaired(gone)]);
});

test("applies nothing while the router does not respond", async () => {
  await reopen(fail);
  router.findDrift = () => Promise.reject(new RouterUnavailableError("BIRD's socket is not there."));
  await clock.advance(600_000);
  expect(router.setCalls).toHaveLength(1);
  router.script = () => {};
  router.findDrift = async () => [];
  await clock.advance(10_000);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(events.all).toEqual([repairFailed, repaired(notRestored)]);
});

test("records what a start restores", async () => {
  const rolledBack = { code: "change-rolled-back", facts: {} } as const;
  await reopen((_, report) => {
    report.step(rolledBack);
    report.repairedTunnel("4242420001");
    report.completed("tunnels");
  });
  expect(events.all).toEqual([
    { kind: "router-restored", asn: null, findings: [gone], steps: [rolledBack] },
    { kind: "tunnel-restored", asn: "4242420001" },
  ]);
});

test("a deployment that repairs the router records the repair, but not of its own tunnel", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  events.all.length = 0;
  router.script = (_, report) => ["4242420001", "4242420002"].forEach(report.repairedTunnel);
  await reconciler.apply(changeOf(2));
  expect(events.all).toEqual([repaired(gone), { kind: "tunnel-repaired", asn: "4242420001" }]);
});

test("a change after which the router's state is unknown is recorded when it is repaired", async () => {
  router.script = fail;
  await expect(reconciler.apply(changeOf(2))).rejects.toThrow(output);
  router.script = () => {};
  await clock.advance(10_000);
  expect(events.all).toEqual([repaired({ code: "router-state-unknown", facts: { output } })]);
});

// `router-output.test.ts` has the texts.
test("an error of any text becomes output that fits the contract", async () => {
  router.drifted = [gone];
  router.script = () => {
    throw new Error("\u001b[2J line\r\n two");
  };
  await clock.advance(10_000);
  expect(reconciler.outOfSyncFindings()).toMatchObject([{ facts: { output: "[2J line two" } }]);
});

import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { codedFactsList } from "../../contract/agent/findings.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import { RouterUnavailableError } from "../drivers/router.ts";
import { createManualClock, type ManualClock } from "../fixtures/manual-clock.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { database, peeringOf, routed, sender } from "../fixtures/peerings.ts";
import { createRecordedEvents, type RecordedEvents } from "../fixtures/recorded-events.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog as log } from "../fixtures/silent-log.ts";
import { desiredChange } from "./change.ts";
import { monitorDrift } from "./drift-monitor.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";

let clock: ManualClock;
let router: ScriptedRouter;
let reconciler: Reconciler;
let monitor: AsyncDisposable;
let events: RecordedEvents;

async function open(prepare: () => void = () => {}): Promise<void> {
  clock = createManualClock();
  router = createScriptedRouter();
  events = createRecordedEvents();
  prepare();
  const store = createMemoryStore([
    { asn: "4242420001", generation: 1, routed: routed(peeringOf(1)), database },
  ]);
  reconciler = await openReconciler({ router, store, events, log });
  monitor = monitorDrift({ reconciler, clock });
}
beforeEach(() => open());
afterEach(() => monitor[Symbol.asyncDispose]());

const gone: Finding = { code: "tunnels-drifted", facts: { tunnels: 1 } };
const notRestored: Finding = { code: "router-not-restored", facts: { output: "no space left on device" } };
const fail = () => {
  throw new Error("no space left on device");
};

test("does nothing while the router runs the applied state", async () => {
  await clock.advance(60_000);
  expect(router.setCalls).toHaveLength(1);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

test("applies the state again after drift, and reports the drift until then", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  expect(reconciler.outOfSyncFindings()).toEqual([notRestored]);
  router.script = () => {};
  await clock.advance(10_000);
  expect(router.setCalls).toEqual([["4242420001"], ["4242420001"], ["4242420001"]]);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
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
      expect(reconciler.outOfSyncFindings()).toEqual([{ code: "router-drifted", facts: {} }, gone]);
      continue;
    }
    setCount = router.setCalls.length;
    pauses.push(waited);
    waited = 0;
  }
  expect(pauses).toEqual([10, 10, 20, 40, 60, 60, 60]);
  router.drifted = [];
  await clock.advance(120_000);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
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
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

const repairFailed = { kind: "router-repair-failed", asn: null, findings: [notRestored] };

test("records a repair with the drift that it repaired and the tunnels, after each attempt that failed", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  router.drifted = [];
  router.script = (_, report) => report.repairedTunnel("4242420001");
  await clock.advance(10_000);
  expect(events.all).toEqual([
    repairFailed,
    { kind: "router-repaired", asn: null, findings: [gone] },
    { kind: "tunnel-repaired", asn: "4242420001" },
  ]);
  await clock.advance(60_000);
  expect(events.all).toHaveLength(3);
});

test("records what a start restores, and nothing if the router ran everything", async () => {
  expect(events.all).toEqual([]);
  await monitor[Symbol.asyncDispose]();
  await open(() => {
    router.script = (_, report) => {
      report.step({ code: "change-rolled-back", facts: {} });
      report.repairedTunnel("4242420001");
      report.completed("tunnels");
    };
  });
  expect(events.all).toEqual([
    {
      kind: "router-restored",
      asn: null,
      findings: [gone],
      steps: [{ code: "change-rolled-back", facts: {} }],
    },
    { kind: "tunnel-restored", asn: "4242420001" },
  ]);
});

test("records a start that fails, and the repair after it", async () => {
  await monitor[Symbol.asyncDispose]();
  await open(() => {
    router.script = fail;
  });
  router.script = () => {};
  await clock.advance(10_000);
  expect(events.all).toEqual([repairFailed, { kind: "router-repaired", asn: null, findings: [notRestored] }]);
});

test("a deployment that repairs the router records the repair, but not of its own tunnel", async () => {
  router.drifted = [gone];
  router.script = fail;
  await clock.advance(10_000);
  events.all.length = 0;
  router.script = (_, report) => ["4242420001", "4242420002"].forEach(report.repairedTunnel);
  const desired = peeringOf(2);
  await reconciler.apply(
    desiredChange({ ...sender, asn: desired.asn, generation: 1, desired }, routed(desired, "198.51.100.2")),
  );
  expect(events.all).toEqual([
    { kind: "router-repaired", asn: null, findings: [gone] },
    { kind: "tunnel-repaired", asn: "4242420001" },
  ]);
});

test("a change after which the router's state is unknown is recorded when it is repaired", async () => {
  router.script = fail;
  const desired = peeringOf(2);
  const change = desiredChange(
    { ...sender, asn: desired.asn, generation: 1, desired },
    routed(desired, "198.51.100.2"),
  );
  await expect(reconciler.apply(change)).rejects.toThrow("no space left on device");
  router.script = () => {};
  await clock.advance(10_000);
  expect(events.all).toEqual([
    {
      kind: "router-repaired",
      asn: null,
      findings: [{ code: "router-state-unknown", facts: { output: "no space left on device" } }],
    },
  ]);
});

test("an error of any text becomes output that fits the contract", async () => {
  router.drifted = [gone];
  router.script = () => {
    throw new Error(`\u001b[2J line\r\n two \u0000\uD800 \u202Eend ${"x".repeat(600)}`);
  };
  await clock.advance(10_000);
  const findings = reconciler.outOfSyncFindings();
  expect(findings).toMatchObject([
    {
      code: "router-not-restored",
      facts: { output: expect.stringMatching(/^\[2J line two \uFFFD end x+…$/) },
    },
  ]);
  expect(v.is(codedFactsList, findings)).toBe(true);
});

test("stops sleeping when disposed", async () => {
  await monitor[Symbol.asyncDispose]();
  expect(clock.sleepers()).toBe(0);
});

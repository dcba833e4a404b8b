import { beforeEach, expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import type { Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import { RouterBusyError, RouterRefusedError } from "../drivers/router.ts";
import { createMemoryStore, type MemoryStore } from "../fixtures/memory-store.ts";
import { database, peeringOf, routed, sender } from "../fixtures/peerings.ts";
import { createRecordedEvents } from "../fixtures/recorded-events.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { desiredChange, endpointChange } from "./change.ts";
import { routedOf } from "./applied-peering.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";

let router: ScriptedRouter;
let store: MemoryStore;
beforeEach(() => {
  router = createScriptedRouter();
  store = createMemoryStore();
});

const filesWritten: Step = { code: "files-written", facts: {} };
const birdLoaded: Step = { code: "bird-loaded", facts: {} };
const endpointStep = (after: string): Step => ({
  code: "tunnel-changed",
  facts: { value: "endpoint", before: "198.51.100.1:51820", after },
});
const birdRefused: Finding = { code: "bird-refused", facts: {} };
const notLoaded: Finding = {
  code: "bird-files-not-loaded",
  facts: { files: ["bird.conf"], isInvalid: false },
};
const unchanged = { outcome: "applied", steps: [{ code: "no-changes", facts: {} }], reason: null };

const open = () => openReconciler({ router, store, events: createRecordedEvents(), log: silentLog });

function applyPeering(
  reconciler: Reconciler,
  n: number,
  generation: number,
  desired: Peering | null = peeringOf(n),
) {
  const request = { ...sender, asn: `424242000${n}`, generation, desired };
  return reconciler.apply(desiredChange(request, desired && routed(desired)));
}

/** Blocks the router's next set until released. */
function blockNextSet() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  router.script = async () => {
    router.script = () => {};
    start();
    await promise;
  };
  return { started, release };
}

function refuse(asn: string) {
  router.script = (desired) => {
    if (desired.some(({ peering }) => peering.asn === asn)) {
      throw new RouterRefusedError(birdRefused);
    }
  };
}

test("applies and saves a new peering and returns its steps", async () => {
  const reconciler = await open();
  router.script = (_, report) => {
    report.step(filesWritten);
    report.completed("tunnels");
    report.step(birdLoaded);
  };
  expect(await applyPeering(reconciler, 1, 1)).toEqual({
    outcome: "applied",
    steps: [
      filesWritten,
      { code: "tunnel-created", facts: { port: 20_001, endpoint: "198.51.100.1:51820" } },
      birdLoaded,
      {
        code: "session-created",
        facts: { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true },
      },
    ],
    reason: null,
  });
  expect(store.saved).toEqual([{ asn: "4242420001", generation: 1, routed: routed(peeringOf(1)), database }]);
  expect(router.running()).toEqual([routed(peeringOf(1))]);
});

test("the same generation is unchanged with equal values and refused with different ones", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 3);
  expect(await applyPeering(reconciler, 1, 3)).toEqual(unchanged);
  expect(await applyPeering(reconciler, 1, 3, peeringOf(1, { endpointPort: 1 }))).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "generation-differs", facts: { generation: 3 } },
    conflict: true,
  });
  expect(router.setCalls).toEqual([[], ["4242420001"]]);
});

test("an older generation is superseded, also for a deleted peering", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 5);
  await applyPeering(reconciler, 1, 6, null);
  expect(router.running()).toEqual([]);
  expect(await applyPeering(reconciler, 1, 5)).toEqual({
    outcome: "superseded",
    steps: [{ code: "superseded", facts: { applied: 6, requested: 5 } }],
    reason: null,
  });
  const restarted = await open();
  expect(await applyPeering(restarted, 1, 5)).toMatchObject({ outcome: "superseded" });
  expect(router.running()).toEqual([]);
});

test("deleting a peering that does not exist stores its generation", async () => {
  const reconciler = await open();
  expect(await applyPeering(reconciler, 1, 2, null)).toEqual(unchanged);
  expect(await applyPeering(reconciler, 1, 1)).toMatchObject({ outcome: "superseded" });
});

test("changes that arrive during an apply are set together", async () => {
  const reconciler = await open();
  const blocked = blockNextSet();
  const first = applyPeering(reconciler, 1, 1);
  await blocked.started;
  const others = [
    applyPeering(reconciler, 2, 1),
    applyPeering(reconciler, 3, 1),
    applyPeering(reconciler, 1, 2, null),
  ];
  blocked.release();
  expect((await Promise.all([first, ...others])).map(({ outcome }) => outcome)).toEqual(
    Array(4).fill("applied"),
  );
  expect(router.setCalls).toEqual([[], ["4242420001"], ["4242420002", "4242420003"]]);
});

test("a change in progress has the shared steps and its own, for its generation only", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  const busy = blockNextSet();
  const first = applyPeering(reconciler, 9, 1);
  await busy.started;
  const batch = [applyPeering(reconciler, 1, 2, null), applyPeering(reconciler, 2, 5)];
  const [later, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  router.script = async (_, report) => {
    report.step(filesWritten);
    report.completed("tunnels");
    report.step(birdLoaded);
    loaded.resolve();
    await later.promise;
  };
  expect(reconciler.progress("4242420002", 5)).toEqual([]);
  busy.release();
  await loaded.promise;
  expect(reconciler.progress("4242420001", 2)).toEqual([filesWritten, birdLoaded]);
  expect(reconciler.progress("4242420002", 5)).toEqual([
    filesWritten,
    { code: "tunnel-created", facts: { port: 20_002, endpoint: "198.51.100.2:51820" } },
    birdLoaded,
  ]);
  for (const generation of [1, 3]) expect(reconciler.progress("4242420001", generation)).toEqual([]);
  expect(reconciler.progress("4242420009", 1)).toEqual([]);
  later.resolve();
  await Promise.all([first, ...batch]);
  expect(reconciler.progress("4242420002", 5)).toEqual([]);
});

test("two pending changes of one AS are applied one after the other", async () => {
  const reconciler = await open();
  const blocked = blockNextSet();
  const first = applyPeering(reconciler, 9, 1);
  await blocked.started;
  const older = applyPeering(reconciler, 1, 1);
  const newer = applyPeering(reconciler, 1, 2, peeringOf(1, { endpointPort: 4242 }));
  blocked.release();
  await first;
  expect((await older).outcome).toBe("applied");
  expect((await newer).steps).toEqual([endpointStep("198.51.100.1:4242")]);
});

test("one refused change does not fail the others of its batch", async () => {
  const reconciler = await open();
  const blocked = blockNextSet();
  const first = applyPeering(reconciler, 9, 1);
  await blocked.started;
  const [good, bad, alsoGood] = [
    applyPeering(reconciler, 1, 1),
    applyPeering(reconciler, 2, 1),
    applyPeering(reconciler, 3, 1),
  ];
  blocked.release();
  await first;
  refuse("4242420002");
  expect(await good).toMatchObject({ outcome: "applied" });
  expect(await bad).toEqual({
    outcome: "refused",
    steps: [],
    reason: birdRefused,
  });
  expect(await alsoGood).toMatchObject({ outcome: "applied" });
  expect(router.running().map(({ peering }) => peering.asn)).toEqual([
    "4242420001",
    "4242420003",
    "4242420009",
  ]);
  expect(store.saved.map(({ asn }) => asn).toSorted()).toEqual(["4242420001", "4242420003", "4242420009"]);
});

test("while the operator edits the router's configuration, changes wait and removals go on", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  const blocked = blockNextSet();
  const first = applyPeering(reconciler, 9, 1);
  await blocked.started;
  const [added, removed] = [applyPeering(reconciler, 2, 1), applyPeering(reconciler, 1, 2, null)];
  blocked.release();
  await first;
  router.script = (desired, report) => {
    if (desired.some(({ peering }) => peering.asn === "4242420002")) throw new RouterBusyError(notLoaded);
    report.postponedSessions();
  };
  await expect(added).rejects.toEqual(new RouterBusyError(notLoaded));
  expect(await removed).toEqual({
    outcome: "applied",
    steps: [
      { code: "sessions-postponed", facts: {} },
      { code: "tunnel-removed", facts: {} },
    ],
    reason: null,
  });
  expect(router.running().map(({ peering }) => peering.asn)).toEqual(["4242420009"]);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

test("a repair that must wait for the operator is no event", async () => {
  const events = createRecordedEvents();
  router.script = () => {
    throw new RouterBusyError(notLoaded);
  };
  const reconciler = await openReconciler({ router, store, events, log: silentLog });
  expect(reconciler.outOfSyncFindings()).toEqual([{ code: "router-repair-waits", facts: {} }, notLoaded]);
  router.script = () => {};
  await reconciler.resync();
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(events.all).toEqual([]);
});

test("a refused change keeps the previous peering, also after a restart", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  router.script = () => {
    throw new RouterRefusedError(birdRefused);
  };
  expect(await applyPeering(reconciler, 1, 2, peeringOf(1, { endpointPort: 7 }))).toEqual({
    outcome: "refused",
    steps: [],
    reason: birdRefused,
  });
  router.script = () => {};
  expect(routedOf(reconciler.applied())).toEqual([routed(peeringOf(1))]);
  expect(routedOf((await open()).applied())).toEqual([routed(peeringOf(1))]);
  expect(router.running()).toEqual([routed(peeringOf(1))]);
});

test("refuses a value that another AS uses, unless the same batch frees it", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  const conflicting = peeringOf(2, { listenPort: 20_001 });
  expect((await applyPeering(reconciler, 2, 1, conflicting)).reason).toEqual({
    code: "value-in-use",
    facts: { field: "local_port", value: "20001" },
  });
  const blocked = blockNextSet();
  const busy = applyPeering(reconciler, 9, 1);
  await blocked.started;
  const [successor, removed] = [
    applyPeering(reconciler, 2, 2, conflicting),
    applyPeering(reconciler, 1, 2, null),
  ];
  blocked.release();
  await busy;
  expect(await successor).toMatchObject({ outcome: "applied" });
  expect(await removed).toMatchObject({ outcome: "applied" });
});

test("restores the router if the state cannot be saved", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  store.error = new Error("ENOSPC: no space left on device");
  expect(await applyPeering(reconciler, 2, 1)).toEqual({
    outcome: "refused",
    steps: [],
    reason: { code: "state-not-saved", facts: {} },
  });
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  store.error = null;
  expect(await applyPeering(reconciler, 2, 1)).toMatchObject({ outcome: "applied" });
});

test("after a crash between the router's confirmation and the save, a restart and a resend converge", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  // The process ends inside `save`: nothing is written and no outcome is returned.
  store.isHanging = true;
  void applyPeering(reconciler, 1, 2, peeringOf(1, { endpointPort: 7 }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(router.running()).toEqual([routed(peeringOf(1, { endpointPort: 7 }))]);

  store = createMemoryStore(store.saved);
  const restarted = await open();
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  expect(restarted.applied().get("4242420001")?.generation).toBe(1);
  expect(await applyPeering(restarted, 1, 2, peeringOf(1, { endpointPort: 7 }))).toMatchObject({
    outcome: "applied",
  });
  expect(router.running()).toEqual([routed(peeringOf(1, { endpointPort: 7 }))]);
});

test("while the router's state is unknown, an equal generation is applied again", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  router.script = () => {
    throw new Error("BIRD's socket closed");
  };
  await expect(applyPeering(reconciler, 2, 1)).rejects.toThrow("BIRD's socket closed");
  expect(reconciler.outOfSyncFindings()).toEqual([
    { code: "router-state-unknown", facts: { output: "BIRD's socket closed" } },
  ]);
  router.script = () => {};
  const before = router.setCalls.length;
  expect(await applyPeering(reconciler, 1, 1)).toEqual(unchanged);
  expect(router.setCalls.slice(before)).toEqual([["4242420001"]]);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

test("a resync applies the state that the router did not take at startup", async () => {
  store = createMemoryStore([{ asn: "4242420001", generation: 4, routed: routed(peeringOf(1)), database }]);
  router.script = () => {
    throw new Error("BIRD is not up yet");
  };
  const reconciler = await open();
  expect(reconciler.outOfSyncFindings()).toEqual([
    { code: "router-not-restored", facts: { output: "BIRD is not up yet" } },
  ]);
  router.script = () => {};
  await reconciler.resync();
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  await reconciler.resync();
  expect(router.setCalls).toHaveLength(2);
});

test("a new endpoint address applies only to the generation it was resolved for", async () => {
  const reconciler = await open();
  await applyPeering(reconciler, 1, 1);
  expect(await reconciler.apply(endpointChange("4242420001", 1, "198.51.100.77"))).toMatchObject({
    steps: [endpointStep("198.51.100.77:51820")],
  });
  await applyPeering(reconciler, 1, 2, null);
  expect(await reconciler.apply(endpointChange("4242420001", 1, "198.51.100.78"))).toMatchObject({
    steps: unchanged.steps,
  });
  expect(router.running()).toEqual([]);
});

test("disposing finishes the running change and rejects the pending ones", async () => {
  const reconciler = await open();
  const blocked = blockNextSet();
  const first = applyPeering(reconciler, 1, 1);
  await blocked.started;
  const second = applyPeering(reconciler, 2, 1);
  const ended = reconciler[Symbol.asyncDispose]();
  blocked.release();
  expect(await first).toMatchObject({ outcome: "applied" });
  await expect(second).rejects.toThrow("The agent is stopping. The change was not started; send it again.");
  await ended;
});

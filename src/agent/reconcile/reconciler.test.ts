import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import type { Peering } from "../../contract/agent.ts";
import { RouterRefused } from "../drivers/router.ts";
import { createMemoryStore, type MemoryStore } from "../fixtures/memory-store.ts";
import { dualStackOf, peeringOf, routed } from "../fixtures/peerings.ts";
import { createScriptedRouter, type ScriptedRouter } from "../fixtures/scripted-router.ts";
import { silentLog } from "../fixtures/silent-log.ts";
import { desiredChange, endpointChange } from "./change.ts";
import { heldSet, routedOf } from "./held-peering.ts";
import { openReconciler, type Reconciler } from "./reconciler.ts";

let router: ScriptedRouter;
let store: MemoryStore;
beforeEach(() => {
  router = createScriptedRouter();
  store = createMemoryStore();
});

const open = () => openReconciler({ router, store, log: silentLog });

function want(reconciler: Reconciler, n: number, generation: number, desired: Peering | null = peeringOf(n)) {
  const wanted = { asn: `424242000${n}`, generation, desired };
  return reconciler.apply(desiredChange(wanted, desired && desired.endpointHost));
}

/** Holds the router's next set until released. */
function holdNextSet() {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  router.script = async () => {
    router.script = () => {};
    begin();
    await promise;
  };
  return { begun, release };
}

function refuse(asn: string) {
  router.script = (desired) => {
    if (desired.some(({ peering }) => peering.asn === asn)) {
      throw new RouterRefused(`BIRD refused AS${asn}.`);
    }
  };
}

test("a new peering is set, kept, and told in sentences", async () => {
  const reconciler = await open();
  router.script = (_, report) => {
    report("BIRD confirmed the configuration.");
    report("Another's step.", "4242420009");
    report("The tunnel was kicked.", "4242420001");
  };
  expect(await want(reconciler, 1, 1)).toEqual({
    outcome: "applied",
    steps: [
      "Set up the tunnel dn42_4242420001 on UDP port 20001 towards 198.51.100.1:51820.",
      "Set up the BGP session dn42_4242420001 (IPv4 and IPv6 over IPv6, extended next hop).",
      "BIRD confirmed the configuration.",
      "The tunnel was kicked.",
    ],
    reason: "",
  });
  expect(store.kept).toEqual([{ asn: "4242420001", generation: 1, routed: routed(peeringOf(1)) }]);
  expect(router.running()).toEqual([routed(peeringOf(1))]);
});

test("the same generation again is no change, and with other values is refused", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 3);
  expect(await want(reconciler, 1, 3)).toEqual({ outcome: "applied", steps: ["no changes"], reason: "" });
  expect(await want(reconciler, 1, 3, peeringOf(1, { endpointPort: 1 }))).toEqual({
    outcome: "refused",
    steps: [],
    reason:
      "The node holds generation 3 with other values, and one generation has one content. " +
      "What ran before still runs.",
  });
  expect(router.asked).toEqual([[], ["4242420001"]]);
});

test("an older generation is superseded, that of a deleted peering too", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 5);
  await want(reconciler, 1, 6, null);
  expect(router.running()).toEqual([]);
  expect(await want(reconciler, 1, 5)).toEqual({
    outcome: "superseded",
    steps: ["The node holds generation 6 already, newer than 5. Nothing was changed."],
    reason: "",
  });
  const restarted = await open();
  expect(await want(restarted, 1, 5)).toMatchObject({ outcome: "superseded" });
  expect(router.running()).toEqual([]);
});

test("deleting what was never there leaves its generation behind", async () => {
  const reconciler = await open();
  expect(await want(reconciler, 1, 2, null)).toEqual({
    outcome: "applied",
    steps: ["no changes"],
    reason: "",
  });
  expect(await want(reconciler, 1, 1)).toMatchObject({ outcome: "superseded" });
});

test("changes that arrive during an apply go to the router together", async () => {
  const reconciler = await open();
  const held = holdNextSet();
  const first = want(reconciler, 1, 1);
  await held.begun;
  const others = [want(reconciler, 2, 1), want(reconciler, 3, 1), want(reconciler, 1, 2, null)];
  held.release();
  expect((await Promise.all([first, ...others])).map(({ outcome }) => outcome)).toEqual(
    Array(4).fill("applied"),
  );
  expect(router.asked).toEqual([[], ["4242420001"], ["4242420002", "4242420003"]]);
});

test("of two changes to one AS that wait, each has a turn of its own", async () => {
  const reconciler = await open();
  const held = holdNextSet();
  const first = want(reconciler, 9, 1);
  await held.begun;
  const older = want(reconciler, 1, 1);
  const newer = want(reconciler, 1, 2, peeringOf(1, { endpointPort: 4242 }));
  held.release();
  await first;
  expect((await older).outcome).toBe("applied");
  expect((await newer).steps).toEqual(["Changed the endpoint from 198.51.100.1:51820 to 198.51.100.1:4242."]);
});

test("one refused among many does not sink its neighbours", async () => {
  const reconciler = await open();
  const held = holdNextSet();
  const first = want(reconciler, 9, 1);
  await held.begun;
  const [good, bad, alsoGood] = [want(reconciler, 1, 1), want(reconciler, 2, 1), want(reconciler, 3, 1)];
  held.release();
  await first;
  refuse("4242420002");
  expect(await good).toMatchObject({ outcome: "applied" });
  expect(await bad).toEqual({
    outcome: "refused",
    steps: [],
    reason: "BIRD refused AS4242420002. What ran before still runs.",
  });
  expect(await alsoGood).toMatchObject({ outcome: "applied" });
  expect(router.running().map(({ peering }) => peering.asn)).toEqual([
    "4242420001",
    "4242420003",
    "4242420009",
  ]);
  expect(store.kept.map(({ asn }) => asn).toSorted()).toEqual(["4242420001", "4242420003", "4242420009"]);
});

test("a refused change of a peering leaves the one before, here and after a restart", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  router.script = () => {
    throw new RouterRefused("BIRD refused it.");
  };
  expect(await want(reconciler, 1, 2, peeringOf(1, { endpointPort: 7 }))).toMatchObject({
    outcome: "refused",
  });
  router.script = () => {};
  expect(routedOf(reconciler.held())).toEqual([routed(peeringOf(1))]);
  expect(routedOf((await open()).held())).toEqual([routed(peeringOf(1))]);
  expect(router.running()).toEqual([routed(peeringOf(1))]);
});

test("a value that another AS holds is refused by its field; one that is let go in the same turn is free", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  const thief = peeringOf(2, { listenPort: 20_001 });
  expect((await want(reconciler, 2, 1, thief)).reason).toBe(
    "local_port: 20001 is used by another AS on this node. What ran before still runs.",
  );
  const held = holdNextSet();
  const busy = want(reconciler, 9, 1);
  await held.begun;
  const [heir, gone] = [want(reconciler, 2, 2, thief), want(reconciler, 1, 2, null)];
  held.release();
  await busy;
  expect(await heir).toMatchObject({ outcome: "applied" });
  expect(await gone).toMatchObject({ outcome: "applied" });
});

test("what cannot be kept does not run", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  store.fault = new Error("ENOSPC: no space left on device");
  expect(await want(reconciler, 2, 1)).toEqual({
    outcome: "refused",
    steps: [],
    reason: "The node could not keep its state: ENOSPC: no space left on device. What ran before still runs.",
  });
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  store.fault = null;
  expect(await want(reconciler, 2, 1)).toMatchObject({ outcome: "applied" });
});

test("killed between the router's confirmation and the write, the next start and a resend converge", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  // The process ends inside save: nothing is written, nobody is answered.
  store.hang = true;
  void want(reconciler, 1, 2, peeringOf(1, { endpointPort: 7 }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(router.running()).toEqual([routed(peeringOf(1, { endpointPort: 7 }))]);

  store = createMemoryStore(store.kept);
  const restarted = await open();
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  expect(restarted.held().get("4242420001")?.generation).toBe(1);
  expect(await want(restarted, 1, 2, peeringOf(1, { endpointPort: 7 }))).toMatchObject({
    outcome: "applied",
  });
  expect(router.running()).toEqual([routed(peeringOf(1, { endpointPort: 7 }))]);
});

test("while the router's state is unknown, nothing is called unchanged", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  router.script = () => {
    throw new Error("BIRD's socket closed");
  };
  await expect(want(reconciler, 2, 1)).rejects.toThrow("BIRD's socket closed");
  expect(reconciler.unsettled()).toBe(
    "The router does not surely run the confirmed configuration: BIRD's socket closed",
  );
  router.script = () => {};
  const before = router.asked.length;
  expect(await want(reconciler, 1, 1)).toEqual({ outcome: "applied", steps: ["no changes"], reason: "" });
  expect(router.asked.slice(before)).toEqual([["4242420001"]]);
  expect(reconciler.unsettled()).toBeNull();
});

test("a router that cannot take the confirmed set at the start gets it later", async () => {
  store = createMemoryStore([{ asn: "4242420001", generation: 4, routed: routed(peeringOf(1)) }]);
  router.script = () => {
    throw new Error("BIRD is not up yet");
  };
  const reconciler = await open();
  expect(reconciler.unsettled()).toBe(
    "The router does not run the confirmed configuration: BIRD is not up yet",
  );
  router.script = () => {};
  await reconciler.settle();
  expect(reconciler.unsettled()).toBeNull();
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  await reconciler.settle();
  expect(router.asked).toHaveLength(2);
});

test("an endpoint that moved counts for the generation it was looked up for alone", async () => {
  const reconciler = await open();
  await want(reconciler, 1, 1);
  expect(await reconciler.apply(endpointChange("4242420001", 1, "198.51.100.77"))).toMatchObject({
    steps: ["Changed the endpoint from 198.51.100.1:51820 to 198.51.100.77:51820."],
  });
  await want(reconciler, 1, 2, null);
  expect(await reconciler.apply(endpointChange("4242420001", 1, "198.51.100.78"))).toMatchObject({
    steps: ["no changes"],
  });
  expect(router.running()).toEqual([]);
});

test("at the end the change under way is finished and those that wait are told to come again", async () => {
  const reconciler = await open();
  const held = holdNextSet();
  const first = want(reconciler, 1, 1);
  await held.begun;
  const second = want(reconciler, 2, 1);
  const ended = reconciler[Symbol.asyncDispose]();
  held.release();
  expect(await first).toMatchObject({ outcome: "applied" });
  await expect(second).rejects.toThrow("The agent is stopping. The change was not begun; send it again.");
  await ended;
});

test("whatever arrives, is refused, fails or is killed: router, memory and store agree, and no generation falls", async () => {
  const event = fc.record({
    n: fc.integer({ min: 1, max: 4 }),
    generation: fc.integer({ min: 1, max: 6 }),
    kind: fc.constantFrom("set", "delete", "dual"),
    fate: fc.constantFrom("taken", "taken", "refused", "unknown", "not kept", "restart"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 8 }), async (turns) => {
      router = createScriptedRouter();
      store = createMemoryStore();
      let reconciler = await open();
      const newest = new Map<string, number>();
      for (const turn of turns) {
        const fates = new Set(turn.map(({ fate }) => fate));
        store.fault = fates.has("not kept") ? new Error("full") : null;
        let sets = 0;
        router.script = () => {
          sets += 1;
          if (fates.has("refused") && sets === 1) throw new RouterRefused("no.");
          if (fates.has("unknown") && sets === 2) throw new Error("gone");
        };
        await Promise.allSettled(
          turn.map(({ n, generation, kind }) => {
            const desired = { set: peeringOf(n), delete: null, dual: dualStackOf(n) }[kind];
            return want(reconciler, n, generation, desired);
          }),
        );
        store.fault = null;
        router.script = () => {};
        if (fates.has("restart")) reconciler = await open();
        await reconciler.settle();
        expect(router.running()).toEqual(routedOf(reconciler.held()));
        expect(heldSet(store.kept)).toEqual(reconciler.held());
        for (const { asn, generation } of reconciler.held().values()) {
          expect(generation).toBeGreaterThanOrEqual(newest.get(asn) ?? 0);
          newest.set(asn, generation);
        }
        for (const asn of newest.keys()) expect(reconciler.held().has(asn)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

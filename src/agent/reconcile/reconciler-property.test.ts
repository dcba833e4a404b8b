import fc from "fast-check";
import { expect, test } from "vitest";
import { RouterRefusedError } from "../drivers/router.ts";
import { dualStackOf, peeringOf } from "../fixtures/peerings.ts";
import { changeOf, createReconcilerScene } from "../fixtures/reconciler-scene.ts";
import { appliedSet, routedOf } from "./applied-peering.ts";

const event = fc.record({
  n: fc.integer({ min: 1, max: 4 }),
  generation: fc.integer({ min: 1, max: 6 }),
  kind: fc.constantFrom("set", "delete", "dual"),
  failure: fc.constantFrom("none", "none", "refused", "unknown", "not saved", "restart"),
});

test("after any changes, refusals, failures and restarts, router, memory and store agree and no generation decreases", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(event, { maxLength: 4 }), { maxLength: 8 }), async (turns) => {
      const { router, store, open } = createReconcilerScene();
      let reconciler = await open();
      const newest = new Map<string, number>();
      for (const turn of turns) {
        const failures = new Set(turn.map(({ failure }) => failure));
        store.error = failures.has("not saved") ? new Error("full") : null;
        let sets = 0;
        router.script = () => {
          sets += 1;
          if (failures.has("refused") && sets === 1)
            throw new RouterRefusedError({ code: "bird-refused", facts: {} });
          if (failures.has("unknown") && sets === 2) throw new Error("gone");
        };
        await Promise.allSettled(
          turn.map(({ n, generation, kind }) => {
            const desired = { set: peeringOf(n), delete: null, dual: dualStackOf(n) }[kind];
            return reconciler.apply(changeOf(n, generation, desired));
          }),
        );
        store.error = null;
        router.script = () => {};
        if (failures.has("restart")) reconciler = await open();
        await reconciler.resync();
        expect(router.running()).toEqual(routedOf(reconciler.applied()));
        expect(appliedSet(store.saved)).toEqual(reconciler.applied());
        for (const { asn, generation } of reconciler.applied().values()) {
          expect(generation).toBeGreaterThanOrEqual(newest.get(asn) ?? 0);
          newest.set(asn, generation);
        }
        for (const asn of newest.keys()) expect(reconciler.applied().has(asn)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

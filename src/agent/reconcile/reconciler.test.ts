import { beforeEach, expect, test } from "vitest";
import type { Finding } from "../../domain/findings/findings.ts";
import type { Step } from "../../domain/findings/steps.ts";
import { RouterBusyError, RouterRefusedError } from "../drivers/router.ts";
import { createMemoryStore } from "../fixtures/memory-store.ts";
import { database, peeringOf, routed } from "../fixtures/peerings.ts";
import { changeOf, createReconcilerScene, type ReconcilerScene } from "../fixtures/reconciler-scene.ts";
import type { ScriptedRouter } from "../fixtures/scripted-router.ts";
import { endpointChange } from "./change.ts";
import type { Reconciler } from "./reconciler.ts";

let scene: ReconcilerScene;
let router: ScriptedRouter;
let reconciler: Reconciler;
beforeEach(async () => {
  scene = createReconcilerScene();
  router = scene.router;
  reconciler = await scene.open();
});

const filesWritten: Step = { code: "files-written", facts: {} };
const birdLoaded: Step = { code: "bird-loaded", facts: {} };
const tunnelCreated = (n: number): Step => ({
  code: "tunnel-created",
  facts: { port: 20_000 + n, endpoint: `198.51.100.${n}:51820` },
});
const endpointStep = (after: string): Step => ({
  code: "tunnel-changed",
  facts: { value: "endpoint", before: "198.51.100.1:51820", after },
});
const birdRefused: Finding = { code: "bird-refused", facts: {} };
const notLoaded: Finding = {
  code: "bird-files-not-loaded",
  facts: { files: ["bird.conf"], isInvalid: false },
};
const refused = (reason: Finding) => ({ outcome: "refused", steps: [], reason });
const unchanged = { outcome: "applied", steps: [{ code: "no-changes", facts: {} }], reason: null };
const moved = peeringOf(1, { endpointPort: 7 });

const apply = (...change: Parameters<typeof changeOf>) => reconciler.apply(changeOf(...change));
const running = () => Array.from(router.running(), ({ peering }) => peering.asn.at(-1)).join("");
const fail = () => {
  throw new Error("BIRD's socket closed");
};

/**
 * Sends changes while the router is set for AS4242420009, so that they are set together afterwards.
 *
 * @param script of the sets after the first one
 */
async function whileBusy<Sent>(send: () => Sent, script: ScriptedRouter["script"] = () => {}): Promise<Sent> {
  const [started, blocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  router.script = async () => {
    router.script = script;
    started.resolve();
    await blocked.promise;
  };
  const first = apply(9);
  await started.promise;
  const sent = send();
  blocked.resolve();
  await first;
  return sent;
}

test("applies and saves a new peering and returns its steps", async () => {
  router.script = (_, report) => {
    report.step(filesWritten);
    report.completed("tunnels");
    report.step(birdLoaded);
  };
  const facts = { families: ["IPv4", "IPv6"], transport: "IPv6", hasExtendedNextHop: true };
  expect(await apply(1)).toEqual({
    outcome: "applied",
    steps: [filesWritten, tunnelCreated(1), birdLoaded, { code: "session-created", facts }],
    reason: null,
  });
  const peering = routed(peeringOf(1));
  expect(scene.store.saved).toEqual([{ asn: "4242420001", generation: 1, routed: peering, database }]);
  expect(router.running()).toEqual([peering]);
});

test("the same generation is unchanged with equal values and refused with different ones", async () => {
  await apply(1, 3);
  expect(await apply(1, 3)).toEqual(unchanged);
  expect(await apply(1, 3, moved)).toEqual({
    ...refused({ code: "generation-differs", facts: { generation: 3 } }),
    conflict: true,
  });
  expect(router.setCalls).toEqual([[], ["4242420001"]]);
});

test("an older generation is superseded, also for a deleted peering and after a restart", async () => {
  // A peering that does not exist is deleted, too.
  expect(await apply(1, 6, null)).toEqual(unchanged);
  expect(await apply(1, 5)).toEqual({
    outcome: "superseded",
    steps: [{ code: "superseded", facts: { applied: 6, requested: 5 } }],
    reason: null,
  });
  reconciler = await scene.open();
  expect(await apply(1, 5)).toMatchObject({ outcome: "superseded" });
  expect(running()).toBe("");
});

test("changes that arrive during an apply are set together, one per AS", async () => {
  const sent = await whileBusy(() => [apply(1), apply(2), apply(3), apply(1, 2, moved)]);
  const outcomes = await Promise.all(sent);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(4).fill("applied"));
  expect(outcomes[3]?.steps).toEqual([endpointStep("198.51.100.1:7")]);
  const sets = router.setCalls.map((asns) => asns.map((asn) => asn.at(-1)).join(""));
  expect(sets).toEqual(["", "9", "1239", "1239"]);
});

test("a change in progress has the shared steps and its own, for its generation only", async () => {
  await apply(1);
  const [later, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const batch = await whileBusy(
    () => {
      expect(reconciler.progress("4242420002", 5)).toEqual([]);
      return [apply(1, 2, null), apply(2, 5)];
    },
    async (_, report) => {
      report.step(filesWritten);
      report.completed("tunnels");
      report.step(birdLoaded);
      loaded.resolve();
      await later.promise;
    },
  );
  await loaded.promise;
  expect(reconciler.progress("4242420001", 2)).toEqual([filesWritten, birdLoaded]);
  expect(reconciler.progress("4242420002", 5)).toEqual([filesWritten, tunnelCreated(2), birdLoaded]);
  for (const generation of [1, 3]) expect(reconciler.progress("4242420001", generation)).toEqual([]);
  expect(reconciler.progress("4242420009", 1)).toEqual([]);
  later.resolve();
  await Promise.all(batch);
  expect(reconciler.progress("4242420002", 5)).toEqual([]);
});

test("one refused change does not fail the others of its batch", async () => {
  const sent = await whileBusy(
    () => [apply(1), apply(2), apply(3)],
    (desired) => {
      if (desired.some(({ peering }) => peering.asn === "4242420002"))
        throw new RouterRefusedError(birdRefused);
    },
  );
  const applied = { outcome: "applied" };
  expect(await Promise.all(sent)).toMatchObject([applied, refused(birdRefused), applied]);
  expect(running()).toBe("139");
  expect(new Set(scene.store.saved.map(({ asn }) => asn.at(-1)))).toEqual(new Set(["1", "3", "9"]));
});

test("while the operator edits the router's configuration, changes wait and removals go on", async () => {
  await apply(1);
  const [added, removed] = await whileBusy(
    () => [apply(2), apply(1, 2, null)] as const,
    (desired, report) => {
      if (desired.some(({ peering }) => peering.asn === "4242420002")) throw new RouterBusyError(notLoaded);
      report.postponedSessions();
    },
  );
  await expect(added).rejects.toEqual(new RouterBusyError(notLoaded));
  expect((await removed).steps.map(({ code }) => code)).toEqual(["sessions-postponed", "tunnel-removed"]);
  expect(running()).toBe("9");
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

test("a repair that must wait for the operator is no event", async () => {
  router.script = () => {
    throw new RouterBusyError(notLoaded);
  };
  reconciler = await scene.open();
  expect(reconciler.outOfSyncFindings()).toEqual([{ code: "router-repair-waits", facts: {} }, notLoaded]);
  router.script = () => {};
  await reconciler.resync();
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  expect(scene.events.all).toEqual([]);
});

test("refuses a value that another AS uses, unless the same batch frees it", async () => {
  await apply(1);
  const conflicting = peeringOf(2, { listenPort: 20_001 });
  const reason: Finding = { code: "value-in-use", facts: { field: "local_port", value: "20001" } };
  expect(await apply(2, 1, conflicting)).toEqual(refused(reason));
  const sent = await whileBusy(() => [apply(2, 2, conflicting), apply(1, 2, null)]);
  for (const change of sent) expect(await change).toMatchObject({ outcome: "applied" });
});

test("peerings may have the same link-local address, each on its interface, and no other one", async () => {
  await apply(1);
  expect(await apply(2, 1, peeringOf(2, { peerIpv6: "fe80::1" }))).toMatchObject({ outcome: "applied" });
  const routedAddress = { peerIpv6: "fd42:4:1::1" };
  await apply(1, 2, peeringOf(1, routedAddress));
  const reason: Finding = { code: "value-in-use", facts: { field: "peer_ipv6", value: "fd42:4:1::1" } };
  expect(await apply(2, 2, peeringOf(2, routedAddress))).toEqual(refused(reason));
});

test("restores the router if the state cannot be saved", async () => {
  await apply(1);
  scene.store.error = new Error("ENOSPC: no space left on device");
  expect(await apply(2)).toEqual(refused({ code: "state-not-saved", facts: {} }));
  expect(running()).toBe("1");
  scene.store.error = null;
  expect(await apply(2)).toMatchObject({ outcome: "applied" });
});

test("after a crash between the router's confirmation and the save, a restart and a resend converge", async () => {
  await apply(1);
  // The process ends inside `save`: nothing is written and no outcome is returned.
  scene.store.isHanging = true;
  void apply(1, 2, moved);
  await new Promise((resolve) => setImmediate(resolve));
  expect(router.running()).toEqual([routed(moved)]);

  scene.store = createMemoryStore(scene.store.saved);
  reconciler = await scene.open();
  expect(router.running()).toEqual([routed(peeringOf(1))]);
  expect(reconciler.applied().get("4242420001")?.generation).toBe(1);
  expect(await apply(1, 2, moved)).toMatchObject({ outcome: "applied" });
  expect(router.running()).toEqual([routed(moved)]);
});

test("while the router's state is unknown, an equal generation is applied again", async () => {
  await apply(1);
  router.script = fail;
  await expect(apply(2)).rejects.toThrow("BIRD's socket closed");
  expect(reconciler.outOfSyncFindings()).toEqual([
    { code: "router-state-unknown", facts: { output: "BIRD's socket closed" } },
  ]);
  router.script = () => {};
  const before = router.setCalls.length;
  expect(await apply(1)).toEqual(unchanged);
  expect(router.setCalls.slice(before)).toEqual([["4242420001"]]);
  expect(reconciler.outOfSyncFindings()).toEqual([]);
});

test("a resync applies the state that the router did not take at startup", async () => {
  await apply(1);
  router.script = fail;
  reconciler = await scene.open();
  expect(reconciler.outOfSyncFindings()).toEqual([
    { code: "router-not-restored", facts: { output: "BIRD's socket closed" } },
  ]);
  router.script = () => {};
  const before = router.setCalls.length;
  await reconciler.resync();
  expect(reconciler.outOfSyncFindings()).toEqual([]);
  await reconciler.resync();
  expect(router.setCalls.slice(before)).toEqual([["4242420001"]]);
});

test("a new endpoint address applies only to the generation it was resolved for", async () => {
  await apply(1);
  expect(await reconciler.apply(endpointChange("4242420001", 1, { address: "198.51.100.77" }))).toMatchObject(
    {
      steps: [endpointStep("198.51.100.77:51820")],
    },
  );
  await apply(1, 2, null);
  expect(await reconciler.apply(endpointChange("4242420001", 1, { address: "198.51.100.78" }))).toEqual(
    unchanged,
  );
  expect(running()).toBe("");
});

test("disposing finishes the running change and rejects the pending ones", async () => {
  const stopping: Array<Promise<unknown>> = [];
  router.script = () => {
    const pending = apply(2);
    pending.catch(() => {});
    stopping.push(pending, Promise.resolve(reconciler[Symbol.asyncDispose]()));
  };
  expect(await apply(1)).toMatchObject({ outcome: "applied" });
  await expect(stopping[0]).rejects.toThrow(
    "The agent is stopping. The change was not started; send it again.",
  );
  await stopping[1];
});

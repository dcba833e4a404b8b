/** When a server looks for deployments: after an event, and often enough to continue those of a server that died. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { Locks } from "#server/db/locks.ts";
import { createLog } from "#server/log.ts";
import { createDeployer } from "#server/features/peerings/deployment/deployer.ts";
import { addTask } from "#server/features/peerings/deployment/task-store.ts";
import { openAsServer, openSqlite } from "../../support/databases.ts";

const nodes = Array.from({ length: 64 }, (_, index) => `node${index}`);
const task = {
  asn: "4242420001",
  node: "node7",
  generation: 1,
  request: null,
  previous: null,
  waitMs: 60_000,
};

/** A deployer on 64 nodes whose locks another server may hold. */
async function openDeployer() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const opened = new AsyncDisposableStack();
  onTestFinished(async () => {
    await opened.disposeAsync();
    vi.useRealTimers();
  });
  const { db, events } = opened.use(await openAsServer(await openSqlite(opened)));
  const requestedLocks: string[] = [];
  const grantedLocks: string[] = [];
  let isHeld = false;
  const locks: Locks = {
    tryExclusive: async (name) => {
      requestedLocks.push(name);
      if (!isHeld) grantedLocks.push(name);
      return !isHeld;
    },
  };
  const deps = { db, events, locks, agents: { nodes }, clock: Date.now, log: createLog("silent") };
  const deployer = opened.use(createDeployer(deps as never));
  return {
    deployer,
    requestedLocks,
    grantedLocks,
    hold: (value: boolean) => {
      isHeld = value;
    },
    addTask: () => db.transaction().execute((tx) => addTask(tx, task, { now: 0, retentionTime: 0 })),
    /** Lets polls that are due run to their end. */
    pass: async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 500) {
        vi.advanceTimersByTime(500);
        for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      }
    },
  };
}

test("without tasks no lock of a node is requested", async () => {
  const { deployer, requestedLocks, pass } = await openDeployer();
  deployer.start();
  await pass(60_000);
  expect(requestedLocks).toHaveLength(0);
});

test("the tasks of a server that died are deployed within a second, on their node alone", async () => {
  const { deployer, grantedLocks, hold, ...scene } = await openDeployer();
  hold(true);
  await scene.addTask();
  deployer.start();
  await scene.pass(3_000);
  hold(false);
  await scene.pass(1_000);
  expect(grantedLocks).toEqual(["deploy node7"]);
});

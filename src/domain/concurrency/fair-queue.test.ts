import { expect, test } from "vitest";
import { type ClientPath, createFairQueue, type FairQueueOptions } from "./fair-queue.ts";

/** A queue with works that run until they are finished by hand. */
function scene(options: Partial<FairQueueOptions> = {}) {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const run = createFairQueue({
    concurrency: 2,
    maxWaiting: 3,
    createError: (client, isOwnLimit) => new Error(`${client} ${isOwnLimit ? "own" : "full"}`),
    ...options,
  });
  const enqueue = (client: string | ClientPath, name: string) =>
    run(client, () => {
      started.push(name);
      return new Promise<void>((resolve) => finish.set(name, resolve));
    });
  const finishAll = async (...names: readonly string[]) => {
    for (const name of names) finish.get(name)?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { started, enqueue, finishAll };
}

test("clients take turns, and a client's works run in order of arrival", async () => {
  const { started, enqueue, finishAll } = scene();
  const works = ["a1", "a2", "a3", "a4", "b1"].map((name) => enqueue(name.slice(0, 1), name));
  expect(started).toEqual(["a1", "a2"]);
  await finishAll("a1");
  await finishAll("a2");
  await finishAll("a3", "b1");
  expect(started).toEqual(["a1", "a2", "a3", "b1", "a4"]);
  await finishAll("a4");
  await Promise.all(works);
});

test("a client at its own limit leaves the other places to others", async () => {
  const { started, enqueue, finishAll } = scene({ concurrency: 3, perClient: 2 });
  const works = ["a1", "a2", "a3", "b1", "b2"].map((name) => enqueue(name.slice(0, 1), name));
  expect(started).toEqual(["a1", "a2", "b1"]);
  await finishAll("b1");
  expect(started).toEqual(["a1", "a2", "b1", "b2"]);
  await finishAll("a1", "a2");
  expect(started).toEqual(["a1", "a2", "b1", "b2", "a3"]);
  await finishAll("a3", "b2");
  await Promise.all(works);
});

test("a full queue drops the newest work of the client with the most, for a client with fewer", async () => {
  const { enqueue } = scene({ concurrency: 1 });
  void enqueue("a", "a1");
  const waiting = ["a2", "a3", "a4"].map((name) => enqueue("a", name));
  const dropped = waiting[2]?.catch(String);
  void enqueue("b", "b1");
  expect(await dropped).toBe("Error: a own");
  await expect(enqueue("a", "a5")).rejects.toThrow("a own");
});

test("networks take turns, and so do the clients of each of them", async () => {
  const { started, enqueue, finishAll } = scene({ concurrency: 1, maxWaiting: 10 });
  const works = [
    ...["x1", "x2", "x3"].map((name) => enqueue(["net", name], name)),
    ...["y1", "y2", "y3"].map((name) => enqueue(["net", "y"], name)),
    enqueue(["other", "z"], "z1"),
  ];
  for (const name of ["x1", "x2", "z1", "x3", "y1", "y2", "y3"]) await finishAll(name);
  expect(started).toEqual(["x1", "x2", "z1", "x3", "y1", "y2", "y3"]);
  await Promise.all(works);
});

test("a full queue drops works of the longest network, and in a network of its longest client", async () => {
  const { enqueue } = scene({ concurrency: 1, maxWaiting: 4 });
  const rejected: string[] = [];
  for (const name of ["a1", "a2", "a3", "a4", "a4", "b1", "b2", "b3", "a5"])
    void enqueue([name.slice(0, 1), name], name).catch((error: unknown) => rejected.push(String(error)));
  await expect.poll(() => rejected.length).toBe(4);
  expect(rejected).toEqual(
    ["a a4 full", "a a4 full", "b b3 full", "a a5 full"].map((text) => `Error: ${text}`),
  );
});

test("a work that waits too long is rejected and never starts", async () => {
  const timers: Array<() => void> = [];
  const stopped: number[] = [];
  const { started, enqueue, finishAll } = scene({
    concurrency: 1,
    wait: {
      limitMs: 5,
      startTimer: (callback) => {
        const index = timers.push(callback) - 1;
        return () => stopped.push(index);
      },
    },
  });
  const works = [enqueue("a", "a1"), enqueue("b", "b1"), enqueue("c", "c1")];
  const rejected = works[1]?.catch(String);
  timers[0]?.();
  expect(await rejected).toBe("Error: b full");
  await finishAll("a1");
  expect(started).toEqual(["a1", "c1"]);
  expect(stopped).toContain(1);
  await finishAll("c1");
  await Promise.all([works[0], works[2]]);
});

test("a work that fails gives its place to the next one", async () => {
  const run = createFairQueue({ concurrency: 1, maxWaiting: 1, createError: () => new Error("full") });
  const failing = run("a", () => Promise.reject(new Error("failed")));
  const next = run("b", async () => "done");
  await expect(failing).rejects.toThrow("failed");
  expect(await next).toBe("done");
});

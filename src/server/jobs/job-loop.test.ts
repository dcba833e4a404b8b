import { expect, onTestFinished, test } from "vitest";
import { createJobLoop, type JobRun } from "./job-loop.ts";

/** A loop whose runs the test ends, and that polls too seldom to matter. */
function setUp() {
  const runs: Array<PromiseWithResolvers<void> & JobRun> = [];
  const errors: unknown[] = [];
  const loop = createJobLoop({
    pollMs: 600_000,
    run: (jobRun) => {
      const run = { ...Promise.withResolvers<void>(), ...jobRun };
      runs.push(run);
      return run.promise;
    },
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => {
    for (const { resolve } of runs) resolve();
    return loop[Symbol.asyncDispose]();
  });
  return { loop, runs, errors };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a signal during a run causes one further run after it", async () => {
  const { loop, runs } = setUp();
  for (let count = 0; count < 3; count += 1) loop.signal();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await settled();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await settled();
  expect(runs).toHaveLength(2);
});

test("a run that takes the signals learns of the next one, and causes no further run", async () => {
  const { loop, runs } = setUp();
  loop.signal();
  loop.signal();
  let hasSignal = false;
  const next = runs[0]?.clearSignals().then(() => (hasSignal = true));
  await settled();
  expect(hasSignal).toBe(false);
  loop.signal();
  await next;
  void runs[0]?.clearSignals();
  runs[0]?.resolve();
  await settled();
  expect(runs).toHaveLength(1);
});

test("an error is reported and ends the loop until the next signal, and is not reported while the loop closes", async () => {
  const { loop, runs, errors } = setUp();
  loop.signal();
  loop.signal();
  runs[0]?.reject(new Error("connection lost"));
  await settled();
  expect([runs.length, errors.length]).toEqual([1, 1]);
  loop.signal();
  const closed = loop[Symbol.asyncDispose]();
  expect(runs[1]?.closing.aborted).toBe(true);
  runs[1]?.reject(new Error("aborted"));
  await closed;
  expect(errors).toHaveLength(1);
});

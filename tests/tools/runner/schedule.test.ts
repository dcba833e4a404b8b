import { expect, test } from "vitest";
import { runSchedule, type Schedulable } from "./schedule.ts";

const step = (name: string, ...needs: readonly string[]): Schedulable => ({ name, needs });

/** Runs steps that end when the test says so, and records starts and ends. */
function controlled(limit: number, steps: readonly Schedulable[]) {
  const log: string[] = [];
  const ends = new Map<string, (passed: boolean) => void>();
  const results = runSchedule(steps, {
    limit,
    run: ({ name }) => {
      log.push(`start ${name}`);
      return new Promise<string>((resolve) =>
        ends.set(name, (passed) => resolve(passed ? "passed" : "failed")),
      );
    },
    hasPassed: (result) => result === "passed",
    skip: (_, failed) => `skipped for ${failed}`,
  });
  const end = async (name: string, passed = true) => {
    log.push(`end ${name}`);
    ends.get(name)?.(passed);
    await new Promise((resolve) => void setImmediate(resolve));
  };
  return { log, end, results };
}

test("starts as many steps as the limit allows, the first ones first", async () => {
  const { log, end, results } = controlled(2, [step("a"), step("b"), step("c")]);
  await end("b");
  await end("a");
  await end("c");
  expect(log).toEqual(["start a", "start b", "end b", "start c", "end a", "end c"]);
  expect(await results).toEqual(["passed", "passed", "passed"]);
});

test("delays a step until its needs have passed, and starts later steps meanwhile", async () => {
  const { log, end, results } = controlled(2, [step("a"), step("needs a", "a"), step("b")]);
  await end("b");
  await end("a");
  await end("needs a");
  expect(log).toEqual(["start a", "start b", "end b", "end a", "start needs a", "end needs a"]);
  await results;
});

test("skips a step, and the steps that need it, when a needed step fails", async () => {
  const { end, results } = controlled(1, [step("a"), step("b", "a"), step("c", "b"), step("d")]);
  await end("a", false);
  await end("d");
  expect(await results).toEqual(["failed", "skipped for a", "skipped for b", "passed"]);
});

test("rejects steps that need an unknown step or each other", async () => {
  await expect(controlled(1, [step("a", "z")]).results).rejects.toThrow("No step is called z.");
  await expect(controlled(1, [step("a", "b"), step("b", "a")]).results).rejects.toThrow(
    "The remaining steps need each other.",
  );
});

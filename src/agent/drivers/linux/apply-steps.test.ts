import { expect, test } from "vitest";
import { type ApplyStep, runSteps } from "./apply-steps.ts";

test("the steps of a stage run side by side; if one fails, all that began are undone in reverse order, after the last has ended", async () => {
  const seen: string[] = [];
  const slow = Promise.withResolvers<void>();
  const step = (name: string, job: () => Promise<void> = async () => {}): ApplyStep => ({
    run: async () => {
      seen.push(name);
      await job();
      seen.push(`${name} ended`);
    },
    undo: async () => void seen.push(`${name} undone`),
  });
  const fail = async () => {
    slow.resolve();
    throw new Error("no such device");
  };
  const stages = [
    [step("first")],
    [step("slow", () => slow.promise.then(() => undefined)), step("failing", fail)],
    [step("never")],
  ];
  expect(await runSteps(stages)).toEqual({ error: new Error("no such device") });
  expect(seen).toEqual([
    "first",
    "first ended",
    "slow",
    "failing",
    "slow ended",
    "failing undone",
    "slow undone",
    "first undone",
  ]);
});

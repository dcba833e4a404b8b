import { expect, test } from "vitest";
import { createAcceptOnce } from "./accepted-once.ts";

test("what failed is taken when it comes again", async () => {
  const acceptOnce = createAcceptOnce(() => 0, 1000);
  const tries: string[] = [];
  const accept = async (outcome: string) => {
    tries.push(outcome);
    if (outcome === "fails") throw new Error("disk full");
  };
  await expect(acceptOnce("key", () => accept("fails"))).rejects.toThrow("disk full");
  await acceptOnce("key", () => accept("works"));
  await acceptOnce("key", () => accept("again"));
  expect(tries).toEqual(["fails", "works"]);
});

test("whoever hands it in meanwhile gets the same outcome", async () => {
  const acceptOnce = createAcceptOnce(() => 0, 1000);
  const { promise, reject } = Promise.withResolvers<void>();
  const both = [acceptOnce("key", () => promise), acceptOnce("key", async () => {})];
  reject(new Error("disk full"));
  const outcomes = await Promise.allSettled(both);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

import { expect, test } from "vitest";
import { summarise, type SeedResult } from "./results.ts";

const result = (changes: Partial<SeedResult>): SeedResult => ({
  commit: "abc",
  variant: "sqlite",
  seed: 1,
  counts: { kills: 10 },
  failure: null,
  seconds: 1800,
  at: "2026-11-23T00:00:00.000Z",
  ...changes,
});

test("runs of a commit add up, and a repeated seed counts once, with its last result", () => {
  expect(
    summarise([
      result({ failure: "lost" }),
      result({ seed: 2, counts: { kills: 5, mails: 3 } }),
      result({ variant: "postgres", failure: "doubled" }),
      result({ seed: 1 }),
    ]),
  ).toBe(`abc sqlite
  2 seeds (1-2), 1.00 h
  15 kills
  3 mails
  0 failed

abc postgres
  1 seeds (1), 0.50 h
  10 kills
  1 failed: 1`);
});

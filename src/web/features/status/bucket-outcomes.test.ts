import { describe, expect, test } from "vitest";
import { describeOutcome, mergeRuns, countResponses } from "./bucket-outcomes.ts";

const span = (from: number, ok: number, issues = 0, down = 0) => ({ from, ok, issues, down });

test.each([
  [span(0, 15), "OK (15 observations)"],
  [span(0, 1), "OK (1 observation)"],
  [span(0, 12, 3), "Issues (3 of 15 observations)"],
  [span(0, 13, 0, 2), "Partly unknown (2 of 15 observations)"],
  [span(0, 12, 1, 2), "Issues (1 of 15 observations)"],
  [span(0, 0, 0, 15), "Unknown (15 observations)"],
  [span(0, 0, 15), "Issues (15 observations)"],
  [span(0, 0), "No data"],
])("%o is named after its worst observation", (given, words) => {
  expect(describeOutcome(given)).toBe(words);
});

describe("the share of responses", () => {
  test("is a share of the observations, with or without issues", () => {
    expect(countResponses([span(0, 0), span(1, 15), span(2, 0, 15), span(3, 14, 0, 1)])).toEqual({
      share: 44 / 45,
      observed: 3,
    });
  });

  test("is unknown without observations", () => {
    expect(countResponses([span(0, 0), span(1, 0)])).toEqual({ share: null, observed: 0 });
  });
});

test("consecutive buckets with the same outcome become one", () => {
  const spans = [span(0, 0), span(10, 0), span(20, 15), span(30, 14), span(40, 0, 0, 3), span(50, 15)];
  expect(mergeRuns(spans, 10)).toEqual([
    { from: 0, to: 20, outcome: "No data", ok: 0, issues: 0, down: 0 },
    { from: 20, to: 40, outcome: "OK", ok: 29, issues: 0, down: 0 },
    { from: 40, to: 50, outcome: "Unknown", ok: 0, issues: 0, down: 3 },
    { from: 50, to: 60, outcome: "OK", ok: 15, issues: 0, down: 0 },
  ]);
});

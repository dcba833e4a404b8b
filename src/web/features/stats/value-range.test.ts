import { expect, test } from "vitest";
import { countRange, percentRange, rateRange } from "./value-range.ts";

test.each([
  [0, 10],
  [9.5, 10],
  [9.6, 25],
  [40, 50],
  [48, 100],
  [100, 100],
])("an axis for up to %d percent ends at %d", (greatest, end) => {
  expect(percentRange(0, greatest)).toEqual([0, end]);
});

test("rates begin at zero, and silence is not enlarged", () => {
  expect(rateRange(50, 100)).toEqual([0, 1000]);
  expect(rateRange(1000, 1_000_000)).toEqual([0, 1_100_000]);
});

test("counts are looked at closely, but not too closely", () => {
  expect(countRange(1000, 1000)).toEqual([950, 1050]);
  expect(countRange(0, 1000)).toEqual([0, 1200]);
  expect(countRange(0, 0)).toEqual([0, 10]);
});

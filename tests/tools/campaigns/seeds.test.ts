import { expect, test } from "vitest";
import { formatSeeds, parseSeeds } from "./seeds.ts";

test("ranges and single seeds are read, each seed once", () => {
  expect(parseSeeds("3")).toEqual([3]);
  expect(parseSeeds("1-3, 7,2-4")).toEqual([1, 2, 3, 7, 4]);
});

test.each(["", "a", "3-1", "1-", "-2", "1.5", "1,,2"])('"%s" is refused', (text) => {
  expect(() => parseSeeds(text)).toThrow("is not a range of seeds");
});

test("seeds are shown as ranges", () => {
  expect(formatSeeds([5, 1, 2, 3, 9, 2])).toBe("1-3, 5, 9");
  expect(formatSeeds([])).toBe("");
});

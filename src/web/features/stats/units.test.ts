import { expect, test } from "vitest";
import { bitRate, percent, routeCount, countRange, percentRange, rateRange } from "./units.ts";

test.each([
  [0, "0 bit/s"],
  [8.4, "8 bit/s"],
  [999, "999 bit/s"],
  [999.9, "1.00 kbit/s"],
  [1000, "1.00 kbit/s"],
  [12_345, "12.3 kbit/s"],
  [123_456, "123 kbit/s"],
  [999_999, "1.00 Mbit/s"],
  [1_240_000, "1.24 Mbit/s"],
  [2.5e9, "2.50 Gbit/s"],
  [7e15, "7000 Tbit/s"],
])("%d bits a second are %s", (value, text) => {
  expect(bitRate.format(value)).toBe(text);
});

test("an axis uses one unit", () => {
  expect(bitRate.formatAxis([0, 500_000, 1_000_000, 1_500_000])).toEqual([
    "0",
    "0.5 Mbit/s",
    "1 Mbit/s",
    "1.5 Mbit/s",
  ]);
  expect(percent.formatAxis([0, 12.5, 25])).toEqual(["0%", "12.5%", "25%"]);
  expect(routeCount.formatAxis([1100, 1200])).toEqual(["1,100", "1,200"]);
});

test("a range has one unit", () => {
  expect(percent.formatRange(13.84, 17.2)).toBe("13.8 to 17.2%");
  expect(percent.formatRange(30, 30.04)).toBe("30.0%");
  expect(routeCount.formatRange(812, 1181)).toBe("812 to 1,181");
  expect(bitRate.formatRange(384_000, 1_020_000)).toBe("0.38 to 1.02 Mbit/s");
  expect(bitRate.formatRange(0, 900)).toBe("0 to 900 bit/s");
});

test("percentages have one decimal, routes have none", () => {
  expect(percent.format(7)).toBe("7.0%");
  expect(routeCount.format(1181)).toBe("1,181");
});

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

test("rates start at zero and span at least 1000 bit/s", () => {
  expect(rateRange(50, 100)).toEqual([0, 1000]);
  expect(rateRange(1000, 1_000_000)).toEqual([0, 1_100_000]);
});

test("counts use a narrow axis, but span at least a tenth of the greatest", () => {
  expect(countRange(1000, 1000)).toEqual([950, 1050]);
  expect(countRange(0, 1000)).toEqual([0, 1200]);
  expect(countRange(0, 0)).toEqual([0, 10]);
});

import { expect, test } from "vitest";
import { bitRate, percent, routeCount } from "./units.ts";

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
  expect(bitRate.value(value)).toBe(text);
});

test("an axis has one unit", () => {
  expect(bitRate.axis([0, 500_000, 1_000_000, 1_500_000])).toEqual([
    "0",
    "0.5 Mbit/s",
    "1 Mbit/s",
    "1.5 Mbit/s",
  ]);
  expect(percent.axis([0, 12.5, 25])).toEqual(["0 %", "12.5 %", "25 %"]);
  expect(routeCount.axis([1100, 1200])).toEqual(["1,100", "1,200"]);
});

test("percents have one decimal, routes none", () => {
  expect(percent.value(7)).toBe("7.0 %");
  expect(routeCount.value(1181)).toBe("1,181");
});

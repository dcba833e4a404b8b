import { expect, test } from "vitest";
import { formatAge, parseAge } from "./age.ts";

test.each([
  [0.9, "0 s ago"],
  [59, "59 s ago"],
  [60, "1 min ago"],
  [3599, "59 min ago"],
  [3600, "1 h ago"],
  [172_799, "47 h ago"],
  [172_800, "2 days ago"],
])("an age of %j seconds reads %j", (seconds, text) => {
  expect(formatAge(seconds)).toBe(text);
});

test.each([
  ["12 s ago", 12],
  ["3 min ago", 180],
  ["5 h ago", 18_000],
  ["2 days ago", 172_800],
  ["yesterday", null],
  ["", null],
])("the age %j is at least %j seconds", (text, seconds) => {
  expect(parseAge(text)).toBe(seconds);
});

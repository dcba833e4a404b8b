import { expect, test } from "vitest";
import { ago } from "./age.ts";

test.each([
  [59_999, "less than a minute ago"],
  [60_000, "1 minute ago"],
  [3_599_999, "59 minutes ago"],
  [7_200_000, "2 hours ago"],
  [172_800_000, "2 days ago"],
])("%i ms is %s", (milliseconds, words) => {
  expect(ago(milliseconds)).toBe(words);
});

import { expect, test } from "vitest";
import { ago } from "./age.ts";

test.each([
  [-5000, "just now"],
  [1400, "just now"],
  [2000, "2 seconds ago"],
  [89_000, "89 seconds ago"],
  [90_000, "2 minutes ago"],
  [89 * 60_000, "89 minutes ago"],
  [90 * 60_000, "2 hours ago"],
])("%d ms are %s", (milliseconds, text) => {
  expect(ago(milliseconds)).toBe(text);
});

import { expect, test } from "vitest";
import { shortenAsPath } from "./as-path.ts";

test.each([
  ["", ""],
  ["4242420001", "4242420001"],
  ["4242420001 4242420002 4242420001", "4242420001 4242420002 4242420001"],
  [`${"4242420001 ".repeat(52)}4242420002`, "4242420001 ×52 4242420002"],
  ["1 12 12 2 2 2 …", "1 12 ×2 2 ×3 …"],
  ["42 424 4 42", "42 424 4 42"],
  ["1 1 {2 2} {3}", "1 ×2 {2 2} {3}"],
])("%j is shown as %j", (path, shown) => {
  expect(shortenAsPath(path)).toBe(shown);
});

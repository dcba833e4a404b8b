import { expect, test } from "vitest";
import { toHealth } from "./health.ts";

test.each([
  ["OK", "OK"],
  ["Issues", "Issues"],
  ["Down", "Down"],
  ["Not found", "Down"],
  ["", "Down"],
])("the status %j counts as %s", (status, health) => {
  expect(toHealth(status)).toBe(health);
});

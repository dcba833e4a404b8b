import { expect, test } from "vitest";
import { taskStatuses } from "#contract/entities.ts";
import { taskOutcome } from "./task-queries.ts";

test.each([
  ["new", [null, "success", "failure", "failure"]],
  ["edit", [null, "success", "failure", "failure"]],
  ["delete", [null, "success", "failure", null]],
] as const)("the outcome of %s follows from the status", (type, outcomes) => {
  expect(taskStatuses.map((status) => taskOutcome(type, status))).toEqual(outcomes);
});

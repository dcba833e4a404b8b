import { expect, test } from "vitest";
import { taskStatuses } from "../../contract/entities.ts";
import { endingOf } from "./task-ending.ts";

test.each([
  ["new", [null, "success", "failure", "failure"]],
  ["edit", [null, "success", "failure", "failure"]],
  ["delete", [null, "success", "failure", null]],
] as const)("%s ends by its status", (type, endings) => {
  expect(taskStatuses.map((status) => endingOf(type, status))).toEqual(endings);
});

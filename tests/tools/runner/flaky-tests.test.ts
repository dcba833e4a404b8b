import { expect, test } from "vitest";
import { formatFlakyTests } from "./flaky-tests.ts";

test("lists flaky tests with their errors below their number", () => {
  expect(formatFlakyTests([])).toBe("flaky: 0");
  expect(
    formatFlakyTests([
      { step: "e2e", file: "tests/e2e/a.test.ts", name: "logs in", error: ["  Error: 1", "  - 2"] },
      { step: "lab", file: "tests/lab/b.test.ts", name: "not loaded, or a hook failed", error: [] },
    ]),
  ).toBe(`flaky: 2
  e2e: tests/e2e/a.test.ts: logs in
    Error: 1
    - 2
  lab: tests/lab/b.test.ts: not loaded, or a hook failed`);
});

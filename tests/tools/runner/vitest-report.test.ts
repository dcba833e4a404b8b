import { expect, test } from "vitest";
import { countTests, failedFiles, failureLines, type VitestReport } from "./vitest-report.ts";

const assertions = (status: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ status, fullName: `${status} ${index + 1}` }));

function report(passed: number, failed: number, skipped: number, unloaded = 0): VitestReport {
  const assertionResults = [
    ...assertions("passed", passed),
    ...assertions("failed", failed),
    ...assertions("pending", skipped),
  ];
  const loaded = { name: "loaded.test.ts", status: failed > 0 ? "failed" : "passed", assertionResults };
  const broken = Array.from({ length: unloaded }, (_, index) => {
    return { name: `broken-${index + 1}.test.ts`, status: "failed", assertionResults: [] };
  });
  return { testResults: [loaded, ...broken] };
}

test.each<[string, VitestReport | null, exitCode: number, passed: number, failed: number, note: string]>([
  ["all pass", report(3, 0, 0), 0, 3, 0, ""],
  ["one fails", report(2, 1, 0), 1, 2, 1, ""],
  ["one is skipped", report(2, 0, 1), 0, 2, 1, "1 skipped"],
  ["a file cannot be loaded", report(2, 0, 0, 1), 1, 2, 1, "1 files not loaded"],
  ["nothing runs", { testResults: [] }, 0, 0, 1, "no tests ran"],
  ["something fails outside the tests", report(2, 0, 0), 1, 2, 1, "an error outside the tests"],
  ["there is no report", null, 137, 0, 1, "vitest ended with 137 and no report"],
])("when %s", (_, given, exitCode, passed, failed, note) => {
  expect(countTests(given, exitCode)).toEqual({ passed, failed, note });
});

test("lists the failed tests of each file with their errors", () => {
  const failure = { status: "failed", fullName: "a test", failureMessages: ["Error: 1\n- 2\n    at x.ts:3"] };
  const passed = { status: "passed", fullName: "another", failureMessages: [] };
  const lines = failureLines({ name: "", status: "failed", assertionResults: [passed, failure] });
  expect(lines).toEqual(["a test", "  Error: 1", "  - 2"]);
});

test.each([
  ["could not be loaded", "no such module", "  no such module"],
  ["has a block whose hook failed", "", "  The error is in the output above."],
])("gives the error of a file that %s", (_, message, line) => {
  const lines = failureLines({ name: "", status: "failed", message, assertionResults: [] });
  expect(lines).toEqual(["not loaded, or a hook failed", line]);
});

test("lists the files that have failed", () => {
  const failed = failedFiles(report(2, 2, 1, 1)).map(({ name }) => name);
  expect(failed).toEqual(["loaded.test.ts", "broken-1.test.ts"]);
  expect(failedFiles(report(2, 0, 1))).toEqual([]);
  expect(failedFiles(null)).toEqual([]);
});

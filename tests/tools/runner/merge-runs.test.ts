import { expect, test } from "vitest";
import { formatFlakyTests, mergeRuns } from "./merge-runs.ts";
import { countTests, type TestFile, type VitestRun } from "./vitest-report.ts";

/** A file whose tests are given as "name status". Their errors name the run. */
function file(tests: readonly string[], run: number, name = "a.test.ts"): TestFile {
  const assertionResults = tests
    .map((text) => text.split(" "))
    .map(([fullName = "", status = ""]) => ({
      status,
      fullName,
      failureMessages: status === "failed" ? [`Error: run ${run}\n    at x.ts:3`] : [],
    }));
  const hasFailed = assertionResults.some(({ status }) => status === "failed");
  return { name, status: hasFailed ? "failed" : "passed", message: "", assertionResults };
}

/** A file that could not be loaded, or whose hook failed. */
const broken = (...tests: readonly string[]): TestFile => ({
  ...file(tests, 0),
  status: "failed",
  message: "error",
});

const run = (...testResults: readonly TestFile[]): VitestRun => ({
  report: { testResults },
  code: testResults.some(({ status }) => status === "failed") ? 1 : 0,
  hasOutsideError: false,
});

/** Returns the numbers of passed and failed tests, and the flaky ones as "file: name: error". */
function merge(first: VitestRun, second: VitestRun) {
  const { report, code, flaky } = mergeRuns(first, second);
  const { passed, failed } = countTests(report, code);
  return { passed, failed, flaky: flaky.map((it) => `${it.file}: ${it.name}:${it.error.join()}`) };
}

const flakyTest = ["a.test.ts: a:  Error: run 1"];
const flakyFile = ["a.test.ts: not loaded, or a hook failed:  error"];

test.each<[string, TestFile, TestFile, number, number, string[]?]>([
  ["a test passes the second time", file(["a failed"], 1), file(["a passed"], 2), 1, 0, flakyTest],
  ["a test fails twice", file(["a failed"], 1), file(["a failed"], 2), 0, 1],
  [
    "another test fails",
    file(["a failed", "b passed"], 1),
    file(["a passed", "b failed"], 2),
    1,
    1,
    flakyTest,
  ],
  ["a failed test is skipped", file(["a failed"], 1), file(["a skipped"], 2), 0, 1],
  ["a failed test is missing", file(["a failed"], 1), file([], 2), 0, 1],
  ["a passed test is missing", file(["a passed", "b failed"], 1), file(["b passed"], 2), 1, 1],
  ["a test is skipped twice", file(["a skipped", "b failed"], 1), file(["a skipped", "b failed"], 2), 0, 2],
  ["a namesake fails", file(["a failed", "a passed"], 1), file(["a passed", "a failed"], 2), 1, 1],
  ["a file is loaded the second time", broken(), file(["a passed"], 2), 1, 0, flakyFile],
  ["a hook passes the second time", broken("a skipped"), file(["a passed"], 2), 1, 0, flakyFile],
  ["a file is never loaded", broken(), broken(), 0, 1],
  ["a hook fails twice", broken("a passed"), broken("a passed"), 1, 1],
  ["a hook fails only the second time", file(["a failed"], 1), broken("a passed"), 1, 1, flakyTest],
  [
    "a worker crashes once",
    file([], 1),
    file(["a passed"], 2),
    1,
    0,
    ["a.test.ts: not loaded, or a hook failed:  The error is in the output above."],
  ],
  ["a worker crashes twice", file([], 1), file([], 2), 0, 1],
])("when %s", (_, first, second, passed, failed, flaky = []) => {
  expect(merge(run(first), run(second))).toEqual({ passed, failed, flaky });
});

test("without a second report every failure stays", () => {
  const killed = { report: null, code: 137, hasOutsideError: false };
  const both = run(file(["a failed"], 1), { ...broken(), name: "b.test.ts" });
  expect(merge(both, killed)).toEqual({ passed: 0, failed: 2, flaky: [] });
});

test("an error outside the tests of the second run is a failure", () => {
  const second = { ...run(file(["a passed"], 2)), code: 1 };
  expect(merge(run(file(["a failed"], 1)), second)).toMatchObject({ passed: 1, failed: 1 });
  const besideFailedTest = { ...run(file(["a passed", "b failed"], 2)), hasOutsideError: true };
  expect(mergeRuns(run(file(["b failed"], 1)), besideFailedTest)).toMatchObject({ code: 1 });
});

test("tells files apart, and keeps those that passed the first time", () => {
  const [one, two, three] = ["one.test.ts", "two.test.ts", "three.test.ts"];
  const first = run(file(["a failed"], 1, one), file(["a failed"], 1, two), file(["a passed"], 1, three));
  const second = run(file(["a passed"], 2, two), file(["a failed"], 2, one), file(["a failed"], 2, three));
  const flaky = ["two.test.ts: a:  Error: run 1"];
  expect(merge(first, second)).toEqual({ passed: 2, failed: 1, flaky });
});

test("lists flaky tests with their errors below their number", () => {
  expect(formatFlakyTests([])).toBe("flaky: 0");
  const { flaky } = mergeRuns(run(file(["a failed"], 1)), run(file(["a passed"], 2)));
  expect(formatFlakyTests(flaky)).toBe("flaky: 1\n  a.test.ts: a\n    Error: run 1");
});

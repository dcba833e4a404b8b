import { expect, test } from "vitest";
import { mergeRuns } from "./merge-runs.ts";
import { countTests, failedFiles, failureLines, type TestFile, type VitestRun } from "./vitest-report.ts";

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

const broken = (message: string, tests: readonly string[] = []): TestFile => ({
  ...file(tests, 0),
  status: "failed",
  message,
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

test.each<[string, string[], string[], number, number, number?]>([
  ["passes the second time", ["a failed"], ["a passed"], 1, 0, 1],
  ["fails twice", ["a failed"], ["a failed"], 0, 1],
  ["fails only when its file is repeated", ["a passed", "b failed"], ["a failed", "b failed"], 1, 1, 2],
  ["fails, then is skipped", ["a failed"], ["a skipped"], 0, 1],
  ["fails, then is missing", ["a failed"], [], 0, 1],
  ["passes, then is missing", ["a passed", "b failed"], ["b failed"], 1, 1],
  ["is skipped twice", ["a skipped", "b failed"], ["a skipped", "b failed"], 0, 2],
  ["is skipped, then fails", ["a skipped", "b failed"], ["a failed", "b failed"], 0, 2],
])("when a test %s", (_, first, second, passed, failed, flakyRun) => {
  const flaky = flakyRun === undefined ? [] : [`a.test.ts: a:  Error: run ${flakyRun}`];
  expect(merge(run(file(first, 1)), run(file(second, 2)))).toEqual({ passed, failed, flaky });
});

test("tests that fail in different runs have passed", () => {
  const [first, second] = [file(["a failed", "b passed"], 1), file(["a passed", "b failed"], 2)];
  expect(merge(run(first), run(second))).toMatchObject({ passed: 2, failed: 0 });
});

const unloaded = ["a.test.ts: not loaded, or a hook failed:  error"];
const brokenHook = broken("error", ["a passed"]);
const aPasses = file(["a passed"], 2);
const flakyIn = (number: number) => [`a.test.ts: a:  Error: run ${number}`];

test.each([
  ["is loaded the second time", broken("error"), aPasses, 1, 0, unloaded],
  ["has a hook that passes the second time", broken("error", ["a skipped"]), aPasses, 1, 0, unloaded],
  ["is loaded in neither run", broken("error"), broken("error"), 0, 1, []],
  ["has a hook that fails twice", brokenHook, brokenHook, 1, 1, []],
  ["has a hook that fails only the second time", file(["a failed"], 1), brokenHook, 1, 1, flakyIn(1)],
  ["has a failed test that may hide the hook", brokenHook, file(["a failed"], 2), 1, 1, flakyIn(2)],
])("when a file %s", (_, first, second, passed, failed, flaky) => {
  expect(merge(run(first), run(second))).toEqual({ passed, failed, flaky });
});

test.each([
  ["fails twice", file(["a failed"], 1), file(["a failed"], 2), ["a", "  Error: run 1"]],
  [
    "is skipped, then fails",
    file(["a skipped", "b failed"], 1),
    file(["a failed", "b failed"], 2),
    ["a", "  Error: run 2", "b", "  Error: run 1"],
  ],
  ["cannot be loaded", broken("one"), broken("two"), ["not loaded, or a hook failed", "  one"]],
])("keeps the first error of what %s", (_, first, second, expected) => {
  const { report } = mergeRuns(run(first), run(second));
  expect(failedFiles(report).flatMap(failureLines)).toEqual(expected);
});

test("without a second report every failure stays", () => {
  const first = run(file(["a failed"], 1), broken("error"));
  const killed = { report: null, code: 137, hasOutsideError: false };
  expect(merge(first, killed)).toEqual({ passed: 0, failed: 2, flaky: [] });
});

test("an error outside the tests of the second run is a failure", () => {
  const second = { ...run(file(["a passed"], 2)), code: 1 };
  expect(merge(run(file(["a failed"], 1)), second)).toMatchObject({ passed: 1, failed: 1 });
  const besideFailedTest = { ...run(file(["a passed", "b failed"], 2)), hasOutsideError: true };
  const merged = merge(run(file(["a failed", "b passed"], 1)), besideFailedTest);
  expect(merged).toMatchObject({ passed: 2, failed: 1 });
});

test("a file without tests, whose worker has crashed, is a failure until it is repeated", () => {
  const first = { ...run(file(["a failed"], 1), file([], 1, "b.test.ts")), code: 1 };
  const [a, b] = [file(["a passed"], 2), file(["b passed"], 2, "b.test.ts")];
  expect(merge(first, run(a, file([], 2, "b.test.ts")))).toMatchObject({ passed: 1, failed: 1 });
  expect(merge(first, run(a, b))).toMatchObject({ passed: 2, failed: 0 });
});

test("tells tests of the same name in two files apart", () => {
  const first = run(file(["a failed"], 1, "one.test.ts"), file(["a failed"], 1, "two.test.ts"));
  const second = run(file(["a passed"], 2, "two.test.ts"), file(["a failed"], 2, "one.test.ts"));
  const flaky = ["two.test.ts: a:  Error: run 1"];
  expect(merge(first, second)).toEqual({ passed: 1, failed: 1, flaky });
});

test("tells tests of the same name in one file apart by their order, unless their number differs", () => {
  const first = run(file(["a failed", "a passed"], 1));
  const expected = { passed: 1, failed: 1, flaky: [] };
  expect(merge(first, run(file(["a failed", "a passed"], 2)))).toEqual(expected);
  expect(merge(first, run(file(["a passed"], 2)))).toEqual(expected);
});

test("keeps files that passed the first time", () => {
  const other = file(["b failed"], 1, "b.test.ts");
  const first = run(file(["a passed"], 1), other);
  expect(merge(first, run(file(["a failed"], 2), other))).toEqual({ passed: 1, failed: 1, flaky: [] });
});

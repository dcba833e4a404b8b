/** Merges the run of a project with the second run of its failed files. */
import type { FlakyTest } from "./flaky-tests.ts";
import {
  type Assertion,
  failedFiles,
  failureLines,
  hasFailed,
  hasFailedByItself,
  testFailureLines,
  type TestFile,
  type VitestRun,
} from "./vitest-report.ts";

type Flaky = Omit<FlakyTest, "step">;

/**
 * Returns the better result of each test and of each file: a test that passed in one of the runs has passed. It is flaky if
 * it failed in the other one. What the second report does not contain keeps its first result.
 */
export function mergeRuns(
  first: VitestRun,
  second: VitestRun,
): VitestRun & { readonly flaky: readonly Flaky[] } {
  const failed = new Set(failedFiles(first.report));
  const merged = (first.report?.testResults ?? []).map((file) => {
    const repeated = second.report?.testResults.find(({ name }) => name === file.name);
    return failed.has(file) && repeated ? mergeFiles(file, repeated) : { file, flaky: [] };
  });
  return {
    report: first.report && { testResults: merged.map(({ file }) => file) },
    // Failed tests explain the code of the first run. In the second one it may come from an error outside the tests.
    code: failedFiles(second.report).length > 0 && !second.hasOutsideError ? 0 : second.code,
    hasOutsideError: second.hasOutsideError,
    flaky: merged.flatMap(({ flaky }) => flaky),
  };
}

function mergeFiles(
  first: TestFile,
  second: TestFile,
): { readonly file: TestFile; readonly flaky: readonly Flaky[] } {
  const tests = pairTests(first.assertionResults, second.assertionResults);
  const assertionResults = tests.flatMap(
    (runs) => withStatus(runs, "passed") ?? withStatus(runs, "failed") ?? runs[0] ?? [],
  );
  // With a failed test, a report does not say whether a hook failed too. Only a passed file disproves it.
  const failedAgain = hasFailedByItself(second) || (hasFailedByItself(first) && hasFailed(second));
  const isFlaky = hasFailedByItself(first) && !hasFailed(second);
  const flakyTests = tests.flatMap((runs) =>
    withStatus(runs, "passed") ? (withStatus(runs, "failed") ?? []) : [],
  );
  return {
    file: {
      name: first.name,
      status: failedAgain || withStatus(assertionResults, "failed") ? "failed" : "passed",
      message: first.message || second.message || "",
      assertionResults,
    },
    flaky: [...(isFlaky ? [failureLines(first)] : []), ...flakyTests.map(testFailureLines)].map(
      ([name = "", ...error]) => ({ file: first.name, name, error }),
    ),
  };
}

/**
 * Returns the one or two runs of each test of a file. Tests with the same name have the same order in both runs; if
 * their numbers differ, the second run does not say which of them passed.
 */
function pairTests(
  first: readonly Assertion[],
  second: readonly Assertion[],
): ReadonlyArray<readonly Assertion[]> {
  const repeated = Map.groupBy(second, ({ fullName }) => fullName);
  const known = Map.groupBy(first, ({ fullName }) => fullName);
  const pairs = Array.from(known, ([name, tests]) => {
    const again = repeated.get(name) ?? [];
    return tests.map((test, index) =>
      again.length === tests.length ? [test, ...again.slice(index, index + 1)] : [test],
    );
  });
  const added = second.filter(({ fullName }) => !known.has(fullName)).map((test) => [test]);
  return [...pairs.flat(), ...added];
}

function withStatus(runs: readonly Assertion[], wanted: string): Assertion | undefined {
  return runs.find(({ status }) => status === wanted);
}

/** Merges the run of a project with the second run of its failed files. */
import {
  failureLines,
  hasFailed,
  hasFailedByItself,
  testFailureLines,
  type TestFile,
  type VitestRun,
} from "./vitest-report.ts";

/** A test that failed in the first run of its file and passed in the second one. */
export interface FlakyTest {
  readonly file: string;
  readonly name: string;
  /** The lines of the error, without the stack. */
  readonly error: readonly string[];
}

/** Returns the number of flaky tests, then each with its error. Files are named after their step. */
export function formatFlakyTests(tests: readonly FlakyTest[]): string {
  const lines = tests.flatMap(({ file, name, error }) => [`${file}: ${name}`, ...error]);
  return [`flaky: ${tests.length}`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** The second run of a file counts in place of its first one, unless it has fewer tests. */
export function mergeRuns(
  first: VitestRun,
  second: VitestRun,
): VitestRun & { readonly flaky: readonly FlakyTest[] } {
  const repeated = new Map(second.report?.testResults.map((file) => [file.name, file]));
  const flaky: FlakyTest[] = [];
  const testResults = first.report?.testResults.map((file) => {
    const again = hasFailed(file) && repeated.get(file.name);
    if (!again || again.assertionResults.length < file.assertionResults.length) return file;
    for (const [name = "", ...error] of passedLater(file, again))
      flaky.push({ file: file.name, name, error });
    return again;
  });
  return {
    report: testResults ? { testResults } : null,
    // Failed tests explain the code of the first run. In the second one it may come from an error outside the tests.
    code: second.report?.testResults.some(hasFailed) && !second.hasOutsideError ? 0 : second.code,
    hasOutsideError: second.hasOutsideError,
    flaky,
  };
}

/** Returns the failures of the first run that the second one lacks, each with its name and its error. */
function passedLater(first: TestFile, second: TestFile): ReadonlyArray<readonly string[]> {
  if (hasFailedByItself(first)) return hasFailed(second) ? [] : [failureLines(first)];
  const failed = second.assertionResults.filter(({ status }) => status !== "passed");
  return first.assertionResults
    .filter(({ status, fullName }) => status === "failed" && !failed.some((it) => it.fullName === fullName))
    .map(testFailureLines);
}

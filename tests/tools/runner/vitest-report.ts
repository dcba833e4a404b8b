/** The part of vitest's JSON report that is needed for counting tests. */
export interface VitestReport {
  readonly testResults: readonly TestFile[];
}

export interface TestFile {
  /** The file's path on this machine. */
  readonly name: string;
  readonly status: string;
  /** Why the file could not be loaded, or the error of a hook outside of its blocks; else empty. */
  readonly message?: string;
  readonly assertionResults: readonly Assertion[];
}

export interface Assertion {
  readonly status: string;
  readonly fullName: string;
  /** Each contains the error's message and its stack. */
  readonly failureMessages?: readonly string[];
}

export interface VitestRun {
  /** Null if vitest wrote no report. */
  readonly report: VitestReport | null;
  /** The exit code. */
  readonly code: number;
  /** Whether an error occurred outside of the tests, of which the report says nothing. */
  readonly hasOutsideError: boolean;
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Details beyond the numbers, or an empty string. */
  readonly note: string;
}

/**
 * Counts a project's tests. Null means that no report was written. A skipped test counts as failed, and so does a file
 * that could not be loaded, an error outside any test, and a run without tests.
 */
export function countTests(report: VitestReport | null, exitCode: number): Count {
  if (report === null) return { passed: 0, failed: 1, note: `vitest ended with ${exitCode} and no report` };
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed").length;
  const unloaded = report.testResults.filter(hasFailedByItself).length;
  const notes = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(unloaded > 0 ? [`${unloaded} files not loaded`] : []),
  ];
  const failed = tests.length - passed + unloaded;
  if (failed === 0 && tests.length === 0) return { passed, failed: 1, note: "no tests ran" };
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: "an error outside the tests" };
  return { passed, failed, note: notes.join(", ") };
}

/** Returns the files with failed tests and the files that failed by themselves. */
export function failedFiles(report: VitestReport | null): readonly TestFile[] {
  return (report?.testResults ?? []).filter(hasFailed);
}

/** Whether a file failed without a failed test: it could not be loaded, or a hook failed. */
export function hasFailedByItself(file: TestFile): boolean {
  return hasFailed(file) && !file.assertionResults.some((test) => test.status === "failed");
}

/** A file whose worker has crashed has no tests, and is not called failed. */
export function hasFailed({ status, assertionResults }: TestFile): boolean {
  return status === "failed" || assertionResults.length === 0;
}

/**
 * Returns a file's failed tests with their errors, one line for each line of an error without its stack. A file that
 * failed by itself has the error of loading it or of its hook; the report lacks the errors of a block's hooks.
 */
export function failureLines({ assertionResults, message }: TestFile): readonly string[] {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  if (failed.length === 0)
    return ["not loaded, or a hook failed", ...messageLines(message || "The error is in the output above.")];
  return failed.flatMap(testFailureLines);
}

/** Returns a test's name, then the lines of its errors. */
export function testFailureLines({ fullName, failureMessages = [] }: Assertion): readonly string[] {
  return [fullName, ...failureMessages.flatMap(messageLines)];
}

const longestMessage = 25;

function messageLines(error: string): readonly string[] {
  const lines = error.split("\n").filter((line) => !/^\s*at /.test(line));
  return lines.slice(0, longestMessage).map((line) => `  ${line}`.trimEnd());
}

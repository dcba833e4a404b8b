/** The part of vitest's JSON report that the count needs. */
export interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
  readonly testResults: ReadonlyArray<{
    readonly status: string;
    readonly assertionResults: ReadonlyArray<{ readonly status: string }>;
  }>;
}

export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** What a person should know beyond the numbers; empty where there is nothing. */
  readonly note: string;
}

/**
 * Counts a project's tests. Null stands for a report that was not written. A skipped test counts as failed,
 * and so do a file that could not be loaded, an error outside any test, and a run of no tests at all.
 */
export function countTests(report: VitestReport | null, exitCode: number): Count {
  if (report === null) return { passed: 0, failed: 1, note: `vitest ended with ${exitCode} and no report` };
  const { numPassedTests: passed, numFailedTests: failedTests, numTotalTests: total } = report;
  const skipped = total - passed - failedTests;
  const unloaded = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  ).length;
  const notes = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(unloaded > 0 ? [`${unloaded} files not loaded`] : []),
  ];
  const failed = failedTests + skipped + unloaded;
  if (failed === 0 && total === 0) return { passed, failed: 1, note: "no tests ran" };
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: "an error outside the tests" };
  return { passed, failed, note: notes.join(", ") };
}

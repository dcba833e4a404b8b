/** The part of vitest's JSON report that the count needs. */
export interface VitestReport {
  readonly testResults: readonly TestFile[];
}

interface TestFile {
  /** The file's path on this machine. */
  readonly name: string;
  readonly status: string;
  readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>;
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
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed").length;
  const unloaded = failedFiles(report).filter((file) => failedTests(file).length === 0).length;
  const notes = [
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(unloaded > 0 ? [`${unloaded} files not loaded`] : []),
  ];
  const failed = tests.length - passed + unloaded;
  if (failed === 0 && tests.length === 0) return { passed, failed: 1, note: "no tests ran" };
  if (failed === 0 && exitCode !== 0) return { passed, failed: 1, note: "an error outside the tests" };
  return { passed, failed, note: notes.join(", ") };
}

/** The files in which a test failed, and those that could not be loaded. */
export function failedFiles(report: VitestReport | null): readonly TestFile[] {
  return (report?.testResults ?? []).filter(({ status }) => status === "failed");
}

/** The names of what failed in a file; none where it could not be loaded. */
export function failedTests({ assertionResults }: TestFile): readonly string[] {
  return assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
}

/** A report in which a second run's files stand for the same files of the first. */
export function withSecondRun(first: VitestReport, second: VitestReport): VitestReport {
  const again = new Set(second.testResults.map(({ name }) => name));
  return {
    testResults: [...first.testResults.filter(({ name }) => !again.has(name)), ...second.testResults],
  };
}

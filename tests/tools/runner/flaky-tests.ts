/** A test that failed in one run of its step and passed in the other one. */
export interface FlakyTest {
  readonly step: string;
  readonly file: string;
  readonly name: string;
  /** The lines of the error, without the stack. */
  readonly error: readonly string[];
}

/** Returns their number, then each with its error. */
export function formatFlakyTests(tests: readonly FlakyTest[]): string {
  return [
    `flaky: ${tests.length}`,
    ...tests.flatMap(({ step, file, name, error }) =>
      [`${step}: ${file}: ${name}`, ...error].map((line) => `  ${line}`),
    ),
  ].join("\n");
}

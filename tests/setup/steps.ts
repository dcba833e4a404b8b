/** The steps of a whole check, in the order in which they run. */

export interface CommandStep {
  readonly kind: "command";
  readonly name: string;
  /** The npm package whose command runs; null for a script of our own. */
  readonly package: string | null;
  readonly command: string;
  readonly args: readonly string[];
}

export interface TestStep {
  readonly kind: "tests";
  /** The vitest project. */
  readonly name: string;
}

export type Step = CommandStep | TestStep;

const command = (name: string, from: string, run: string, ...args: readonly string[]): CommandStep => ({
  kind: "command",
  name,
  package: from,
  command: run,
  args,
});
const tests = (name: string): TestStep => ({ kind: "tests", name });

export const quickSteps: readonly Step[] = [
  command("types", "typescript", "tsc", "-b"),
  command("lint", "oxlint", "oxlint", "--deny-warnings"),
  command("format", "oxfmt", "oxfmt", "--check"),
  command("dead code", "knip", "knip"),
  tests("unit"),
];

export const allSteps: readonly Step[] = [
  ...quickSteps,
  command("build", "vite", "vite", "build"),
  { kind: "command", name: "size", package: null, command: "tests/setup/size.ts", args: [] },
  tests("components"),
  tests("integration"),
  tests("architecture"),
  tests("lab"),
  tests("e2e"),
  tests("spec"),
];

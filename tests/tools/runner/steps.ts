/** The steps of `npm test`: what each runs, and which of them can run concurrently. */
import { filesOfOtherCommits } from "./rotating-files.ts";

interface StepOrder {
  readonly name: string;
  /** Steps that must have passed before this one starts. */
  readonly needs: readonly string[];
}

export interface CommandStep extends StepOrder {
  readonly kind: "command";
  /** The npm package whose command runs; null for a script of this repository. */
  readonly package: string | null;
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to this process's environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface TestStep extends StepOrder {
  readonly kind: "tests";
  /**
   * Whether failed files run a second time. Only for tests that cross a process, a browser or the kernel, whose timing no
   * test controls.
   */
  readonly canRepeat: boolean;
  /** Files of the project that do not run. */
  readonly leftOut: readonly string[];
}

export type Step = CommandStep | TestStep;

const command = (
  name: string,
  packageName: string | null,
  run: string,
  args: readonly string[] = [],
  { needs = [], env = {} }: Partial<Pick<CommandStep, "needs" | "env">> = {},
): CommandStep => ({ kind: "command", name, package: packageName, command: run, args, needs, env });

/** @param name the vitest project */
const tests = (name: string, ...needs: readonly string[]): TestStep => ({
  kind: "tests",
  name,
  needs,
  canRepeat: false,
  leftOut: filesOfOtherCommits(name),
});

/** @param name the vitest project */
const repeatableTests = (name: string, ...needs: readonly string[]): TestStep => ({
  ...tests(name, ...needs),
  canRepeat: true,
});

/**
 * For programs in Go, which check types. Several threads of them check the same modules again, and collectors that save
 * memory take turns with tests on the same processors: with this, both need about half of a processor's time.
 */
const frugal = { GOMAXPROCS: "1", GOGC: "300" };

const staticChecks: readonly Step[] = [
  command("types", "typescript", "tsc", ["-b", "--singleThreaded"], { env: frugal }),
  command("lint", "oxlint", "oxlint", ["--deny-warnings"], { env: frugal }),
  command("format", "oxfmt", "oxfmt", ["--check"]),
  command("dead code", "knip", "knip"),
  command("words", null, "tests/tools/words/check.ts"),
];

export const quickSteps: readonly Step[] = [...staticChecks, tests("unit")];

/**
 * In order of priority: first the steps that others need, then the longest. Short ones come next, so that during the
 * build no step starts that would delay the longest.
 */
export const allSteps: readonly Step[] = [
  command("build", null, "src/packaging/build.ts", ["--all"]),
  command("size", null, "tests/tools/runner/size.ts", [], { needs: ["build"] }),
  repeatableTests("lab", "build"),
  tests("integration", "build"),
  repeatableTests("lab-crashes"),
  repeatableTests("programs", "build"),
  repeatableTests("e2e", "build"),
  repeatableTests("machine", "build"),
  command("measuring tools", null, "tests/tools/runner/measuring-tools.ts", [], { needs: ["build"] }),
  tests("install", "build"),
  ...staticChecks,
  repeatableTests("engines", "build"),
  repeatableTests("spec-browser", "build"),
  tests("components"),
  tests("spec"),
  tests("architecture"),
  tests("unit"),
];

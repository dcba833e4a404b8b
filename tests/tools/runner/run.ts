/** `npm test` runs every step. With the argument `quick`, as in `npm run check`, it runs the fast steps only. */
import { availableParallelism } from "node:os";
import { raiseInotifyLimit } from "./inotify-limit.ts";
import { formatFlakyTests } from "./merge-runs.ts";
import { runStep, type StepResult } from "./run-step.ts";
import { runSchedule } from "./schedule.ts";
import { allSteps, quickSteps, type Step } from "./steps.ts";
import { installMissingPackages } from "./system-packages.ts";

const quick = process.argv[2] === "quick";
if (!quick) preparePackages();
const steps = quick ? quickSteps : allSteps;

const started = performance.now();
const results = await runSchedule(steps, {
  // Tests of routers and browsers wait more than they compute.
  limit: availableParallelism() + (quick ? 0 : 1),
  run: async (step) => {
    print(`${clock()} started  ${step.name}`);
    const result = await runStep(step);
    print(`\n── ${step.name} ${"─".repeat(Math.max(0, 60 - step.name.length))}\n${result.output.trim()}`);
    print(`\n${clock()} finished ${step.name}: ${result.passed} passed, ${result.failed} failed`);
    return result;
  },
  hasPassed: ({ failed }) => failed === 0,
  skip: (_, failed): StepResult => ({
    passed: 0,
    failed: 1,
    flaky: [],
    note: `not run: ${failed} has failed`,
    output: "",
    seconds: 0,
    processorSeconds: 0,
  }),
});

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
const inAll = results.reduce((sum, result) => sum + result.processorSeconds, 0);
print(`\n${table(steps, results)}\n\n${clock()} in total, ${inAll.toFixed(0)} s of processors`);
process.exitCode = failed === 0 ? 0 : 1;
// The quick steps have no second run.
if (!quick) print(formatFlakyTests(results.flatMap(({ flaky }) => flaky)));
print(`${passed} passed, ${failed} failed`);

function preparePackages(): void {
  try {
    print(`system packages: ${installMissingPackages()}`);
    print(`kernel: ${raiseInotifyLimit()}`);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    print("0 passed, 1 failed");
    process.exit(1);
  }
}

function table(all: readonly Step[], each: readonly StepResult[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return each
    .map(({ passed: good, failed: bad, seconds, processorSeconds, note }, index) =>
      [
        bad > 0 ? "✗" : "✓",
        (all[index]?.name ?? "").padEnd(width),
        `${good} passed`.padStart(12),
        `${bad} failed`.padStart(10),
        `${seconds.toFixed(1)} s`.padStart(8),
        `${processorSeconds.toFixed(0)} s of processors`.padStart(20),
        note,
      ]
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Minutes and seconds since the start. */
function clock(): string {
  const seconds = Math.round((performance.now() - started) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

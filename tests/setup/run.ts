/** `npm test`: everything, and with the argument `quick` the part that takes seconds. */
import { runStep } from "./run-step.ts";
import { allSteps, quickSteps } from "./steps.ts";
import { installMissingPackages } from "./system-packages.ts";
import type { Count } from "./vitest-report.ts";

interface Row extends Count {
  readonly name: string;
  readonly seconds: number;
}

const quick = process.argv[2] === "quick";
if (!quick) preparePackages();

const rows: Row[] = [];
for (const step of quick ? quickSteps : allSteps) {
  print(`\n── ${step.name} ${"─".repeat(Math.max(0, 60 - step.name.length))}`);
  const started = performance.now();
  const count = await runStep(step);
  rows.push({ ...count, name: step.name, seconds: (performance.now() - started) / 1000 });
}

print(`\n${table(rows)}\n`);
const passed = sum(rows, (row) => row.passed);
const failed = sum(rows, (row) => row.failed);
process.exitCode = failed === 0 ? 0 : 1;
print(`${passed} passed, ${failed} failed`);

function preparePackages(): void {
  try {
    print(`system packages: ${installMissingPackages()}`);
  } catch (error) {
    print(error instanceof Error ? error.message : String(error));
    print("0 passed, 1 failed");
    process.exit(1);
  }
}

function table(all: readonly Row[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  return all
    .map(({ name, passed: good, failed: bad, seconds, note }) =>
      [
        bad > 0 ? "✗" : good > 0 ? "✓" : "·",
        name.padEnd(width),
        `${good} passed`.padStart(12),
        `${bad} failed`.padStart(10),
        `${seconds.toFixed(1)} s`.padStart(8),
        note,
      ]
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function sum(all: readonly Row[], value: (row: Row) => number): number {
  return all.reduce((total, row) => total + value(row), 0);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

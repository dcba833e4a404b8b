/** Statistics of many runs, and their formatting. */
import { availableParallelism, loadavg } from "node:os";

export function print(text: string): void {
  process.stdout.write(text);
}

/** Describes the machine, because figures depend on it. */
export function describeMachine(): string {
  const load = loadavg()[0]?.toFixed(1);
  return `${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, load ${load} at the start`;
}

/** CPU time of this process, in milliseconds. */
export async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest value that at least this share of all values do not exceed; `NaN` without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export function worst(values: readonly number[]): number {
  return Math.max(...values);
}

/** Formats milliseconds with at least three significant digits. */
export function formatMs(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

/** Aligns the first column to the left and the others to the right. */
export function formatTable(rows: ReadonlyArray<readonly string[]>): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      ),
    )
    .map((cells) => `  ${cells.join("  ")}\n`)
    .join("");
}

/** Formats a figure with its target, and whether the target was met. */
export function compareWithTarget(what: string, value: number, limit: number, unit: string): string {
  return `  ${value <= limit ? "met   " : "missed"}  ${what}: ${formatMs(value)}${unit}, target at most ${limit}${unit}\n`;
}

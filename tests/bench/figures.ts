/** Numbers of many runs, and how they are shown. */

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function worst(values: readonly number[]): number {
  return Math.max(...values);
}

/** Milliseconds, as exact as they are worth. */
export function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

/** Columns as wide as they need be: the first to the left, the others to the right. */
export function table(rows: ReadonlyArray<readonly string[]>): string {
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

/** A figure beside its aim, "met" or "missed". */
export function aim(what: string, value: number, limit: number, unit: string): string {
  return `  ${value <= limit ? "met   " : "missed"}  ${what}: ${ms(value)}${unit}, aim at most ${limit}${unit}\n`;
}

/** Far from 32,766, the most values that a statement of SQLite can have, and short enough to let other work in between. */
const maxValues = 8_000;

/** Splits rows so that each part can be written with one statement. */
export function splitIntoBatches<Row extends object>(rows: readonly Row[]): Row[][] {
  const [first] = rows;
  if (!first) return [];
  const size = Math.floor(maxValues / Object.keys(first).length);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
    rows.slice(index * size, (index + 1) * size),
  );
}

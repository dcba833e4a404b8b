import { type Compilable, CompiledQuery } from "kysely";
import { isPostgres } from "../database-version.ts";
import type { Db } from "../open.ts";

/** The most rows of a statement. */
const maxRows = 512;

/**
 * Creates a function that inserts many rows again and again. Building the text of a statement with thousands of values takes
 * longer than running it, so it inserts 512, 256, 128… rows at a time and builds each text once.
 *
 * @param columns all columns of the rows
 * @param build an insert of these rows, which has no other parameters
 */
export function createBulkInsert<Row extends object>(
  columns: ReadonlyArray<keyof Row>,
  build: (db: Db, rows: readonly Row[]) => Compilable,
): (db: Db, rows: readonly Row[]) => Promise<void> {
  const texts = new Map<string, string>();
  const ordered = (row: Row) => Object.fromEntries(columns.map((name) => [name, row[name]])) as Row;

  function textOf(db: Db, rows: readonly Row[]): string {
    const key = `${isPostgres(db)} ${rows.length}`;
    const text = texts.get(key) ?? build(db, rows.map(ordered)).compile().sql;
    texts.set(key, text);
    return text;
  }

  return async (db, rows) => {
    for (let from = 0, size = maxRows; from < rows.length;) {
      while (size > rows.length - from) size /= 2;
      const part = rows.slice(from, from + size);
      const values = part.flatMap((row) => columns.map((name) => row[name]));
      await db.executeQuery(CompiledQuery.raw(textOf(db, part), values));
      from += size;
    }
  };
}

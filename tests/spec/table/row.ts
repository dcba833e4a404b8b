/**
 * Statements of the specification that a person can check together, on one screen or in its requests, by section and ID. An
 * ID is used once in all tables. Where several sections repeat a statement, it belongs to one of them. A statement has the
 * specification's own words, shortened, and, if they have two readings, how they are read (docs/decisions/0005).
 */
export type Rows = {
  readonly [Section in 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9]?: Readonly<Record<string, string>>;
};

/** The IDs of a table's rows. */
export type IdOf<Table extends Rows> = { [Section in keyof Table]: keyof Table[Section] }[keyof Table] &
  string;

/** Returns each row's ID after the name of its test. */
export function nameRows<Table extends Rows>(
  table: Table,
): ReadonlyArray<readonly [name: string, id: IdOf<Table>]> {
  return Object.entries(table).flatMap(([section, rows]) =>
    Object.entries(rows as Readonly<Record<IdOf<Table>, string>>).map(
      ([id, says]) => [`[${id}] section ${section}: ${String(says)}`, id as IdOf<Table>] as const,
    ),
  );
}

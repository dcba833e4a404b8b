/** Statements of the specification that a person can check together, on one screen or in its requests. */
export interface Row {
  /** The section of the specification that contains the statements; where several repeat them, one of these. */
  readonly section: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** The specification's own words, shortened. */
  readonly says: string;
  /** How the words are read if they have two readings (docs/decisions/0005). */
  readonly reading?: string;
}

/** By ID, which is used once in all tables. */
export type Rows = Readonly<Record<string, Row>>;

/** Returns each row's ID after the name of its test. */
export function nameRows<Id extends string>(
  rows: Readonly<Record<Id, Row>>,
): ReadonlyArray<readonly [name: string, id: Id]> {
  return (Object.entries(rows) as Array<[Id, Row]>).map(([id, { section, says }]) => [
    `[${id}] section ${section}: ${says}`,
    id,
  ]);
}

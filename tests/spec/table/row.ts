/** Statements of the specification that a person can check together, on one screen or in its requests. */
export interface Row {
  /** Names the row's test; used once in all tables. */
  readonly id: string;
  /** The section of the specification that contains the statements; where several repeat them, one of these. */
  readonly section: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** The specification's own words, shortened. */
  readonly says: string;
  /** How the words are read if they have two readings (docs/decisions/0005). */
  readonly reading?: string;
}

/** The name of a row's test. */
export function rowName({ id, section, says }: Row): string {
  return `[${id}] section ${section}: ${says}`;
}

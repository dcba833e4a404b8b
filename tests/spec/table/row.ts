/** One statement of the specification that a person can see kept or broken. */
export interface Row {
  /** Names the row's test; used once in all tables. */
  readonly id: string;
  /** The section of the specification that says it. */
  readonly section: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
  /** The specification's own words, shortened. */
  readonly says: string;
  /** How they are read where they can be read in two ways (DESIGN, docs/decisions/0005). */
  readonly reading?: string;
}

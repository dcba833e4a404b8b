/** Lines of a participant's configuration, for one system. */
export interface FixLine {
  readonly system: string;
  /** The file or the place that has them. */
  readonly place: string;
  readonly text: string;
}

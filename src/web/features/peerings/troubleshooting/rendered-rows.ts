/** A list of this length is in the document as a whole, so that the browser finds text in it. */
const mostWhole = 200;
/** Rows of a longer list above and below the visible ones. */
const overscan = 12;

/** Returns how many rows outside of the visible ones a virtual list of `count` rows renders. */
export function renderedRows(count: number): number {
  return count <= mostWhole ? count : overscan;
}

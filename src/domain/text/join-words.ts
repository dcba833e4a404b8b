/** Joins the elements of a list in a sentence: "a", "a and b", "a, b, and c". */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  if (words.length < 2) return last;
  const others = words.slice(0, -1).join(", ");
  return `${others}${words.length === 2 ? "" : ","} and ${last}`;
}

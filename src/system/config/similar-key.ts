/**
 * Finds the known key that a misspelt one was meant to be: at most one mistake for every three characters, two at most.
 * `publicUrl` is `public_url` with one mistake, since case does not count.
 */
export function findSimilarKey(given: string, known: readonly string[]): string | undefined {
  const maxMistakes = Math.min(2, Math.floor(given.length / 3));
  const ranked = known.map((key) => ({ key, mistakes: countMistakes(given.toLowerCase(), key) }));
  const similar = ranked.filter(({ mistakes }) => mistakes <= maxMistakes);
  return similar.toSorted((a, b) => a.mistakes - b.mistakes)[0]?.key;
}

/** The missing, additional, wrong and swapped characters between two texts (optimal string alignment distance). */
function countMistakes(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}

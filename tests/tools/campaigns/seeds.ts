/** Parses "7", "1-500" and lists such as "1-20,35". Throws an error that quotes what is wrong. */
export function parseSeeds(text: string): readonly number[] {
  const seeds = text.split(",").flatMap((part) => {
    const [, first = "", last = first] = /^([0-9]{1,9})(?:-([0-9]{1,9}))?$/.exec(part.trim()) ?? [];
    if (first === "" || Number(last) < Number(first))
      throw new Error(`"${part}" is not a range of seeds such as 1-500`);
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) + index);
  });
  return [...new Set(seeds)];
}

/** Joins seeds to ranges: "1-20, 35". */
export function formatSeeds(seeds: readonly number[]): string {
  const ranges: Array<{ readonly first: number; last: number }> = [];
  for (const seed of [...new Set(seeds)].toSorted((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range && range.last === seed - 1) range.last = seed;
    else ranges.push({ first: seed, last: seed });
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

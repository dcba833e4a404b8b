/**
 * Returns a number from 0 (inclusive) to 1 (exclusive) that is always the same for the same parts, and
 * uniformly distributed over different ones.
 */
export function seeded(...parts: ReadonlyArray<string | number>): number {
  let hash = 0x811c9dc5;
  for (const character of parts.join("\0")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Returns a seeded number from `least` up to `most`. */
export function between(least: number, most: number, ...parts: ReadonlyArray<string | number>): number {
  return least + (most - least) * seeded(...parts);
}

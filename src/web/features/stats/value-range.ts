/** From where to where a value axis goes, given the least and the greatest value on it. */
export type ValueRange = (least: number, greatest: number) => readonly [from: number, to: number];

/** Begins at zero and ends at one of a few steps, so that it seldom changes. */
export const percentRange: ValueRange = (_, greatest) => [
  0,
  [10, 25, 50].find((step) => greatest <= step * 0.95) ?? 100,
];

/** Begins at zero; a thousand bits a second at least, so that a handshake does not look like a download. */
export const rateRange: ValueRange = (_, greatest) => [0, Math.max(1000, greatest * 1.1)];

/** Near the values, and never so near that a change of a few looks like a flood: a tenth of them at least. */
export const countRange: ValueRange = (least, greatest) => {
  const span = Math.max((greatest - least) * 1.2, greatest * 0.1, 10);
  const from = Math.max(0, (least + greatest - span) / 2);
  return [from, from + span];
};

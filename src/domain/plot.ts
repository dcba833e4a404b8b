import { noLevel, type Plot, plotLevels } from "../contract/history.ts";

/** A value for each time bucket, the oldest first; null where nothing was measured. */
export type Series = ReadonlyArray<number | null>;

const highestLevel = plotLevels.length - 1;

/** Encodes shares from 0 to 1, a character each. */
export function encodeShares(shares: Series): string {
  return shares.map((share) => levelAt(share, 0, 1)).join("");
}

/** Decodes shares from 0 to 1; characters that are no levels become null. */
export function decodeShares(text: string): Series {
  return Array.from(text, (character) => valueAt(character, 0, 1));
}

/** Encodes values with 64 levels between the lowest and the highest one; null without any value. */
export function encodePlot(values: Series): Plot | null {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return null;
  const min = Math.min(...known);
  const max = Math.max(...known);
  const isConstant = min === max && known.length === values.length;
  return [min, max, isConstant ? "" : values.map((value) => levelAt(value, min, max)).join("")];
}

/** Decodes a plot of `count` values. Each differs from the encoded value by at most 1/126 of the range. */
export function decodePlot([min, max, levels]: Plot, count: number): Series {
  if (levels === "") return Array.from({ length: count }, () => min);
  return Array.from(levels, (character) => valueAt(character, min, max));
}

function levelAt(value: number | null, min: number, max: number): string {
  if (value === null) return noLevel;
  const share = max === min ? 0 : (value - min) / (max - min);
  return plotLevels[Math.round(Math.min(1, Math.max(0, share)) * highestLevel)] ?? noLevel;
}

function valueAt(character: string, min: number, max: number): number | null {
  const level = plotLevels.indexOf(character);
  return level === -1 ? null : min + ((max - min) * level) / highestLevel;
}

/** A share in percent with two decimals, so that a column has one rounding: "99.80%"; "100%". Never rounded up to all. */
export function formatShare(share: number): string {
  return `${share < 1 ? Math.min(99.99, share * 100).toFixed(2) : 100}%`;
}

/** A row of the table of nodes. Null where it is not known: a column without any value is left out. */
export interface NodeTableRow {
  readonly name: string;
  /** ".example.net" */
  readonly domainSuffix: string;
  readonly place: string;
  readonly state: string | null;
  /** The last 24 hours. */
  readonly shares: Series | null;
  /** When the last 24 hours begin; milliseconds since 1970. */
  readonly from: number;
  /** Of 90 days, from 0 to 1. */
  readonly uptime: number | null;
  readonly peerings: number | null;
  readonly capacity: number | null;
  /** "open", "full" or "closed"; null if the node has no limit, or the server does not say. */
  readonly newPeers: string | null;
}

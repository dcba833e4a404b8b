/** How values are formatted in legends and on axes. */
import { formatCount } from "#domain/text/plural.ts";

export interface Unit {
  /** Formats a value with its unit and up to three significant digits: "1.24 Mbit/s". */
  readonly format: (value: number) => string;
  /** Formats two values with one unit: "13.8 to 17.2%", or "14.0%" if they are the same. */
  readonly formatRange: (lowest: number, highest: number) => string;
  /** Formats the labels of an axis, all in the unit of the largest value. */
  readonly formatAxis: (values: readonly number[]) => string[];
  /** Width of the axis labels, in rem. */
  readonly axisWidth: number;
}

function rangeText(lowest: string, highest: string, unit: string): string {
  return lowest === highest ? `${highest}${unit}` : `${lowest} to ${highest}${unit}`;
}

export const percent: Unit = {
  format: (value) => `${value.toFixed(1)}%`,
  formatRange: (lowest, highest) => rangeText(lowest.toFixed(1), highest.toFixed(1), "%"),
  formatAxis: (values) => values.map((value) => `${value}%`),
  axisWidth: 3,
};

const formatRounded = (value: number) => formatCount(Math.round(value));

export const routeCount: Unit = {
  format: formatRounded,
  formatRange: (lowest, highest) => rangeText(formatRounded(lowest), formatRounded(highest), ""),
  formatAxis: (values) => values.map(formatCount),
  axisWidth: 3.25,
};

const prefixes = ["", "k", "M", "G", "T"] as const;

/** For values in bits per second; a kilobit is 1000 bits. */
export const bitRate: Unit = {
  format: (value) => {
    // Values that round up to the next unit use that unit.
    const power = prefixPower(Number(value.toPrecision(3)));
    return `${formatScaled(value / 1000 ** power, power)} ${prefixes[power]}bit/s`;
  },
  formatRange: (lowest, highest) => {
    const power = prefixPower(Number(highest.toPrecision(3)));
    const [from, to] = [lowest, highest].map((value) => formatScaled(value / 1000 ** power, power));
    return rangeText(from ?? "", to ?? "", ` ${prefixes[power]}bit/s`);
  },
  formatAxis: (values) => {
    const power = prefixPower(Math.max(0, ...values));
    return values.map((value) =>
      value === 0 ? "0" : `${Number((value / 1000 ** power).toPrecision(3))} ${prefixes[power]}bit/s`,
    );
  },
  axisWidth: 4.75,
};

function prefixPower(value: number): 0 | 1 | 2 | 3 | 4 {
  const power = value < 1000 ? 0 : Math.floor(Math.log10(value) / 3);
  return Math.min(power, 4) as 0 | 1 | 2 | 3 | 4;
}

function formatScaled(scaled: number, power: number): string {
  return power === 0 ? String(Math.round(scaled)) : formatThreeDigits(scaled);
}

function formatThreeDigits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** Returns the ends of a value axis for the least and the greatest value on it. */
export type ValueRange = (least: number, greatest: number) => readonly [from: number, to: number];

/** Starts at zero and ends at one of four steps, so that the axis seldom changes. */
export const percentRange: ValueRange = (_, greatest) => [
  0,
  [10, 25, 50].find((step) => greatest <= step * 0.95) ?? 100,
];

/** Starts at zero and spans at least 1000 bit/s, so that a handshake does not look like a download. */
export const rateRange: ValueRange = (_, greatest) => [0, Math.max(1000, greatest * 1.1)];

/** Close to the values, but spans at least a tenth of the greatest, so that small changes do not look large. */
export const countRange: ValueRange = (least, greatest) => {
  const span = Math.max((greatest - least) * 1.2, greatest * 0.1, 10);
  const from = Math.max(0, (least + greatest - span) / 2);
  return [from, from + span];
};

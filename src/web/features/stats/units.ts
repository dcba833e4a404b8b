/** How values are written in legends and along axes. */
export interface Unit {
  /** A value with its unit, three digits that matter: "1.24 Mbit/s". */
  readonly value: (value: number) => string;
  /** The labels of an axis, all in the unit of the largest. */
  readonly axis: (values: readonly number[]) => string[];
  /** Room for these labels, in rem. */
  readonly axisWidth: number;
}

export const percent: Unit = {
  value: (value) => `${value.toFixed(1)} %`,
  axis: (values) => values.map((value) => `${value} %`),
  axisWidth: 3,
};

export const routeCount: Unit = {
  value: (value) => Math.round(value).toLocaleString("en"),
  axis: (values) => values.map((value) => value.toLocaleString("en")),
  axisWidth: 3.25,
};

const prefixes = ["", "k", "M", "G", "T"] as const;

/** Of values in bits a second; a kilobit is 1000 bits. */
export const bitRate: Unit = {
  value: (value) => {
    // What rounds up to the next unit is written in it.
    const power = powerOf(Number(value.toPrecision(3)));
    const scaled = value / 1000 ** power;
    return `${power === 0 ? Math.round(scaled) : digits(scaled)} ${prefixes[power]}bit/s`;
  },
  axis: (values) => {
    const power = powerOf(Math.max(0, ...values));
    return values.map((value) =>
      value === 0 ? "0" : `${Number((value / 1000 ** power).toPrecision(3))} ${prefixes[power]}bit/s`,
    );
  },
  axisWidth: 4.75,
};

function powerOf(value: number): 0 | 1 | 2 | 3 | 4 {
  const power = value < 1000 ? 0 : Math.floor(Math.log10(value) / 3);
  return Math.min(power, 4) as 0 | 1 | 2 | 3 | 4;
}

function digits(value: number): string {
  if (value >= 99.95) return value.toFixed(0);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePlot, decodeShares, encodePlot, encodeShares } from "./plot.ts";

test("shares: none, all, some, and no observation", () => {
  const text = encodeShares([0, 1, 29 / 30, null]);
  expect(text).toBe("A_9.");
  expect(decodeShares(text)).toEqual([0, 1, 61 / 63, null]);
  expect(decodeShares("?")).toEqual([null]);
});

test.each([
  ["nothing measured", [null, null], null],
  ["one value all the time", [20, 20], [20, 20, ""]],
  ["one value with a gap", [20, null], [20, 20, "A."]],
  ["several values", [10, null, 20, 15], [10, 20, "A._g"]],
])("a plot of %s", (_, values, plot) => {
  expect(encodePlot(values)).toEqual(plot);
});

test("decoded values differ by at most half a level, and gaps stay gaps", () => {
  const value = fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 48 }), (values) => {
      const plot = encodePlot(values);
      if (!plot) return values.every((each) => each === null);
      const [min, max] = plot;
      const half = (max - min) / 126;
      return decodePlot(plot, values.length).every((decoded, index) => {
        const original = values[index] ?? null;
        if (decoded === null || original === null) return decoded === original;
        return Math.abs(decoded - original) <= half * 1.0001;
      });
    }),
  );
});

import { expect, test } from "vitest";
import { palette } from "../../ui/theme/palette.ts";
import { lineColours, lineStyle } from "./line-styles.ts";

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test.each(["light", "dark"] as const)("lines contrast with a %s panel", (scheme) => {
  const ground = luminance(palette["bg.panel"][scheme === "light" ? 0 : 1]);
  for (const colour of lineColours[scheme]) {
    const [bright, dim] = [luminance(colour), ground].toSorted((a, b) => b - a) as [number, number];
    expect((bright + 0.05) / (dim + 0.05)).toBeGreaterThanOrEqual(3);
  }
});

test("thirty lines differ, and neighbours differ in both colour and dash", () => {
  const styles = Array.from({ length: 30 }, (_, index) => lineStyle(index, "dark"));
  expect(new Set(styles.map((style) => JSON.stringify(style))).size).toBe(30);
  expect(new Set(styles.slice(0, 5).map(({ dash }) => dash.join(" "))).size).toBe(5);
  expect(new Set(styles.slice(0, 6).map(({ colour }) => colour)).size).toBe(6);
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { palette } from "../../src/web/ui/theme/palette.ts";

const html = readFileSync("index.html", "utf8");

/** The custom properties that the static shell sets under a selector. */
function shellColours(selector: string): Record<string, string> {
  const start = html.indexOf(`${selector} {`);
  const block = html.slice(start, html.indexOf("}", start));
  return Object.fromEntries(
    Array.from(block.matchAll(/--([a-z]+): (#[0-9a-f]{6});/g), ([, name = "", value = ""]) => [name, value]),
  );
}

const painted = {
  bg: palette.bg,
  panel: palette["bg.panel"],
  muted: palette["bg.muted"],
  border: palette.border,
  accent: palette.accent,
};

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe("the palette", () => {
  it.each([
    ["html", 0],
    ["html.dark", 1],
  ] as const)("is what the static shell paints under %s", (selector, scheme) => {
    const expected = Object.entries(painted).map(([name, pair]) => [name, pair[scheme]]);
    expect(shellColours(selector)).toEqual(Object.fromEntries(expected));
  });

  const pairs = [
    ["fg", "bg"],
    ["fg.muted", "bg"],
    ["fg.muted", "bg.panel"],
    ["fg.muted", "bg.muted"],
    ["fg.subtle", "bg"],
    ["fg.subtle", "bg.panel"],
    ["accent", "bg"],
    ["accent", "bg.panel"],
    ["accent.fg", "accent"],
    ["accent.fg", "accent.hover"],
    ["good", "good.subtle"],
    ["issues", "issues.subtle"],
    ["down", "down.subtle"],
    ["down", "bg.panel"],
    ["fg", "down.subtle"],
  ] as const;

  it.each(pairs)("reads well: %s on %s", (text, ground) => {
    for (const scheme of [0, 1] as const)
      expect(contrast(palette[text][scheme], palette[ground][scheme])).toBeGreaterThanOrEqual(4.5);
  });

  const plots = ["plot.good", "plot.issues", "plot.down", "plot.unknown", "accent"] as const;
  const grounds = ["bg", "bg.panel", "down.subtle"] as const;

  it.each(plots)("is visible in plots: %s", (plot) => {
    for (const ground of grounds)
      for (const scheme of [0, 1] as const)
        expect(contrast(palette[plot][scheme], palette[ground][scheme])).toBeGreaterThanOrEqual(3);
  });
});

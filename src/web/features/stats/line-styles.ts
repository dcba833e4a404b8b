import type { ColourScheme } from "../../ui/theme/colour-scheme.tsx";

/** Each has a contrast of at least 3:1 against the panels of its scheme. */
export const lineColours: Readonly<Record<ColourScheme, readonly string[]>> = {
  light: ["#2b57c9", "#b45309", "#0f766e", "#a21caf", "#4d7c0f", "#be123c"],
  dark: ["#86abff", "#f5a742", "#4fd1c5", "#e39bf7", "#a8cf5a", "#ff8ba0"],
};

/** In pixels, as wide as the line of `Spark`. */
export const lineWidth = 1.5;

/** Lengths of strokes and gaps, in pixels. The first is a solid line. */
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3], [14, 5]] as const;

export interface LineStyle {
  readonly colour: string;
  readonly dash: readonly number[];
}

/** The first 30 lines have different pairs of colour and dash; neighbours differ in both. */
export function lineStyle(index: number, scheme: ColourScheme): LineStyle {
  const colours = lineColours[scheme];
  return { colour: colours[index % colours.length] ?? "", dash: dashes[index % dashes.length] ?? [] };
}

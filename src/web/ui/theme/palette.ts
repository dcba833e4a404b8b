/**
 * The colours, each for the light and the dark scheme. The static shell in index.html repeats some of these values;
 * `palette.test.ts` compares the two.
 */
export const palette = {
  bg: ["#f7f8f9", "#0d0f12"],
  "bg.panel": ["#ffffff", "#14171b"],
  "bg.subtle": ["#f2f4f6", "#191d22"],
  "bg.muted": ["#e8ebef", "#22272e"],
  fg: ["#14171c", "#e7eaee"],
  "fg.muted": ["#565f6c", "#9ba5b1"],
  "fg.subtle": ["#6a7380", "#858f9c"],
  border: ["#dfe3e8", "#272c34"],
  "border.emphasized": ["#c2c9d2", "#3a424d"],
  accent: ["#2b57c9", "#86abff"],
  "accent.hover": ["#2249b0", "#a3c0ff"],
  "accent.fg": ["#ffffff", "#0b1020"],
  "accent.subtle": ["#e9effd", "#17213a"],
  good: ["#14783c", "#5fd08a"],
  "good.subtle": ["#e3f4e9", "#12271a"],
  issues: ["#8a5a00", "#edb95a"],
  "issues.subtle": ["#fcf1da", "#2b2110"],
  down: ["#b3261e", "#ff8f85"],
  "down.subtle": ["#fcebe9", "#331614"],
  "down.faint": ["#fef7f6", "#1e1416"],
  /** Strips and plots: at least 3:1 against the panels. */
  "plot.good": ["#2a8f52", "#3f9d66"],
  "plot.issues": ["#ae750a", "#c08a2a"],
  "plot.down": ["#d5483f", "#d65c52"],
  "plot.unknown": ["#7a8390", "#6d7783"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

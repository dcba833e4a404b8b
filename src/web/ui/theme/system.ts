import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { createSystem, defineConfig, mergeConfigs } from "@chakra-ui/react/styled-system";
import { palette } from "./palette.ts";

type System = ReturnType<typeof createSystem>;

const steps = [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 8.5, 9, 10, 11, 12, 14, 16, 24] as const;

/** Multiples of 4 px, in rem so that they scale with the reader's font size. */
const scale = Object.fromEntries(steps.map((step) => [String(step), { value: `${step * 0.25}rem` }]));

/** Dots in token names become nesting; a colour with shades has its own value under DEFAULT. */
function createColourTokens() {
  const tokens: Record<string, Record<string, { value: { base: string; _dark: string } }>> = {};
  for (const [name, [base, _dark]] of Object.entries(palette)) {
    const [group = name, shade = "DEFAULT"] = name.split(".");
    (tokens[group] ??= {})[shade] = { value: { base, _dark } };
  }
  return tokens;
}

/**
 * Creates the styling system: Chakra's style props with our tokens. Recipes are not registered here; each is in the
 * file of its component, so that the styles of a lazily loaded component are loaded with it.
 */
export function createAppSystem(): System {
  const config = defineConfig({
    preflight: true,
    cssVarsPrefix: "pd",
    globalCss: {
      html: { bg: "bg", color: "fg", fontFamily: "body", textSizeAdjust: "100%", scrollbarGutter: "stable" },
      body: { fontSize: "md", lineHeight: "normal" },
      // The screen, at least as high as the window, and the notifications below it.
      "#root": { display: "flex", flexDirection: "column", minHeight: "100dvh" },
      "*": { borderColor: "border" },
      "::selection": { bg: "accent", color: "accent.fg" },
      "::placeholder": { color: "fg.subtle", opacity: 1 },
      // Forced colours remove the background that shows what is selected.
      "nav [aria-current], [aria-current=step], [aria-selected=true]": {
        _highContrast: {
          forcedColorAdjust: "none",
          background: "Highlight !important",
          color: "HighlightText !important",
        },
      },
      "[aria-pressed=true]": { _highContrast: { outline: "2px solid Highlight" } },
      ":focus-visible": { outline: "2px solid", outlineColor: "accent", outlineOffset: "2px" },
      "*, *::before, *::after": { _motionReduce: { transitionDuration: "0s !important" } },
    },
    theme: {
      breakpoints: { sm: "30rem", md: "48rem", lg: "64rem", xl: "80rem" },
      keyframes: {
        spin: { to: { transform: "rotate(360deg)" } },
        pulse: { "50%": { opacity: "0.45" } },
        /** Shifts a dash pattern of "10,10" by one period. */
        flow: { to: { strokeDashoffset: "-20px" } },
        appear: { from: { opacity: "0" }, to: { opacity: "1" } },
        vanish: { from: { opacity: "1" }, to: { opacity: "0" } },
      },
      tokens: {
        spacing: scale,
        sizes: {
          ...scale,
          full: { value: "100%" },
          prose: { value: "38rem" },
          form: { value: "25rem" },
          step: { value: "42rem" },
          page: { value: "70rem" },
          manager: { value: "80rem" },
          menu: { value: "13rem" },
        },
        fonts: {
          body: {
            value:
              'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif',
          },
          mono: {
            value:
              'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
          },
        },
        fontSizes: {
          xs: { value: "0.75rem" },
          sm: { value: "0.8125rem" },
          md: { value: "0.875rem" },
          lg: { value: "1rem" },
          xl: { value: "1.25rem" },
          "2xl": { value: "1.5rem" },
          "3xl": { value: "2rem" },
        },
        fontWeights: { normal: { value: "400" }, medium: { value: "500" }, semibold: { value: "600" } },
        lineHeights: { tight: { value: "1.25" }, normal: { value: "1.5" }, relaxed: { value: "1.65" } },
        letterSpacings: { tight: { value: "-0.012em" } },
        radii: {
          sm: { value: "0.25rem" },
          md: { value: "0.375rem" },
          lg: { value: "0.625rem" },
          full: { value: "9999px" },
        },
        zIndex: { sticky: { value: 10 }, modal: { value: 20 } },
      },
      semanticTokens: {
        colors: createColourTokens(),
        shadows: {
          panel: { value: { base: "0 1px 2px rgb(16 24 40 / 0.04)", _dark: "none" } },
          raised: {
            value: { base: "0 12px 32px rgb(16 24 40 / 0.16)", _dark: "0 12px 32px rgb(0 0 0 / 0.6)" },
          },
        },
      },
    },
  });
  return createSystem(mergeConfigs(defaultBaseConfig, config));
}

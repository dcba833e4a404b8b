import { defaultBaseConfig } from "@chakra-ui/react/preset-base";
import { createSystem, defineConfig, mergeConfigs } from "@chakra-ui/react/styled-system";
import { palette } from "./palette.ts";

type System = ReturnType<typeof createSystem>;

const steps = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 8.5, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40,
] as const;

/** Multiples of 4 px, in rem so that they follow the reader's font size. */
const scale = Object.fromEntries(steps.map((step) => [String(step), { value: `${step * 0.25}rem` }]));

/** Token paths with dots nest; a colour that has children of its own keeps its value under DEFAULT. */
function colourTokens() {
  const tokens: Record<string, Record<string, { value: { base: string; _dark: string } }>> = {};
  for (const [name, [base, _dark]] of Object.entries(palette)) {
    const [group = name, shade = "DEFAULT"] = name.split(".");
    (tokens[group] ??= {})[shade] = { value: { base, _dark } };
  }
  return tokens;
}

/**
 * Chakra's style props over tokens of our own. Recipes are not registered here: each stands with its
 * component, so that a component loaded with a later route brings its styles along.
 */
export function createAppSystem(): System {
  const config = defineConfig({
    preflight: true,
    cssVarsPrefix: "pd",
    globalCss: {
      html: { bg: "bg", color: "fg", fontFamily: "body", textSizeAdjust: "100%" },
      body: { fontSize: "md", lineHeight: "normal" },
      // The screen, as high as it is or the window leaves it, and what is said at its foot.
      "#root": { display: "flex", flexDirection: "column", minHeight: "100dvh" },
      "*": { borderColor: "border" },
      "::selection": { bg: "accent", color: "accent.fg" },
      "::placeholder": { color: "fg.subtle", opacity: 1 },
      ":focus-visible": { outline: "2px solid", outlineColor: "accent", outlineOffset: "2px" },
      "*, *::before, *::after": { _motionReduce: { transitionDuration: "0s !important" } },
    },
    theme: {
      breakpoints: { sm: "30rem", md: "48rem", lg: "64rem", xl: "80rem" },
      keyframes: {
        spin: { to: { transform: "rotate(360deg)" } },
        pulse: { "50%": { opacity: "0.45" } },
        /** Moves a pattern of 10 px dashes on by one. */
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
          menu: { value: "15rem" },
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
        letterSpacings: { tight: { value: "-0.012em" }, wide: { value: "0.04em" } },
        radii: {
          sm: { value: "0.25rem" },
          md: { value: "0.375rem" },
          lg: { value: "0.625rem" },
          full: { value: "9999px" },
        },
        zIndex: { sticky: { value: 10 }, modal: { value: 20 } },
      },
      semanticTokens: {
        colors: colourTokens(),
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

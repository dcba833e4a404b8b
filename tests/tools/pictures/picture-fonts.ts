import type { SystemPackage } from "#lab/requirements.ts";

/** Pictures look as on people's devices: a sans-serif made for screens, and emoji in colour. */
export const pictureFonts: readonly SystemPackage[] = [
  { name: "fonts-inter", installedPath: "/usr/share/fonts/opentype/inter/Inter-Regular.otf" },
  { name: "fonts-noto-color-emoji", installedPath: "/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf" },
];

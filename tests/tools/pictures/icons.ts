/** `npm run icons`: draws the app's icons (public/icons) in Debian's Chromium. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { palette } from "#web/ui/theme/palette.ts";
import { launchBrowser } from "../../e2e/browser.ts";
import { repository } from "../../support/repository.ts";

const [accent] = palette.accent;
const [ink] = palette["accent.fg"];

/** Two nodes and the session between them, as in public/favicon.svg. 24 units wide. */
const mark =
  '<g fill="none" stroke-width="2.2"><path d="M7.5 16.5 16.5 7.5"/><circle cx="6" cy="18" r="3.4"/><circle cx="18" cy="6" r="4" fill="currentColor" stroke="none"/></g>';
const plus = '<path d="M12 5v14M5 12h14" stroke-width="2.6" stroke-linecap="round"/>';
const nodes =
  '<g fill="none" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><rect x="3" y="3.5" width="18" height="7" rx="2"/><rect x="3" y="13.5" width="18" height="7" rx="2"/><path d="M7 7h.01M7 17h.01"/></g>';

interface Icon {
  readonly file: string;
  readonly size: number;
  readonly drawing: string;
  /** The drawing's share of the width. A maskable icon can be cropped to a circle of four fifths. */
  readonly part: number;
  /** Corner radius of the background, as a share of the width. Null for an icon without a background, in one colour. */
  readonly corners: number | null;
}

const icons: readonly Icon[] = [
  { file: "app-192.png", size: 192, drawing: mark, part: 0.62, corners: 0.22 },
  { file: "app-512.png", size: 512, drawing: mark, part: 0.62, corners: 0.22 },
  { file: "maskable-512.png", size: 512, drawing: mark, part: 0.5, corners: 0 },
  { file: "apple-touch-180.png", size: 180, drawing: mark, part: 0.58, corners: 0 },
  { file: "new-peering-96.png", size: 96, drawing: plus, part: 0.6, corners: 0.5 },
  { file: "node-status-96.png", size: 96, drawing: nodes, part: 0.54, corners: 0.5 },
  { file: "badge-96.png", size: 96, drawing: mark, part: 0.9, corners: null },
];

function svg({ size, drawing, part, corners }: Icon): string {
  const scale = (size * part) / 24;
  const edge = (size * (1 - part)) / 2;
  const background =
    corners === null
      ? ""
      : `<rect width="${size}" height="${size}" rx="${size * corners}" fill="${accent}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" style="display:block;color:${ink}" stroke="currentColor" stroke-width="0">${background}<g transform="translate(${edge} ${edge}) scale(${scale})" stroke="currentColor">${drawing}</g></svg>`;
}

const folder = path.join(repository, "public/icons");
await mkdir(folder, { recursive: true });
await using browser = await launchBrowser("complete");
const page = await browser.newPage();
for (const icon of icons) {
  await page.setViewportSize({ width: icon.size, height: icon.size });
  await page.setContent(`<style>body{margin:0}</style>${svg(icon)}`);
  await page.screenshot({ path: path.join(folder, icon.file), omitBackground: true });
}

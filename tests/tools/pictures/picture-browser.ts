import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser } from "playwright";
import { findMissing, installCommand } from "#lab/requirements.ts";
import { launchBrowser } from "../../e2e/browser.ts";
import { pictureFonts } from "./picture-fonts.ts";

/** Fontconfig without DejaVu Sans, which Chromium prefers for interfaces. */
const configuration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include>/etc/fonts/fonts.conf</include>
  <selectfont>
    <rejectfont><pattern><patelt name="family"><string>DejaVu Sans</string></patelt></pattern></rejectfont>
  </selectfont>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Inter</family></prefer></alias>
</fontconfig>
`;

/** Launches Chromium with the pictures' fonts. Throws with the command that installs missing ones. */
export async function launchPictureBrowser(): Promise<Browser & AsyncDisposable> {
  const missing = findMissing(pictureFonts);
  if (missing.length > 0) {
    throw new Error(
      `The pictures need ${missing.join(" and ")}. Install with:\n\n    ${installCommand(missing)}\n`,
    );
  }
  const folder = await mkdtemp(path.join(tmpdir(), "peerdeck-fonts-"));
  const file = path.join(folder, "fonts.conf");
  await writeFile(file, configuration);
  const browser = await launchBrowser("complete", { FONTCONFIG_FILE: file });
  browser.once("disconnected", () => void rm(folder, { recursive: true, force: true }));
  return browser;
}

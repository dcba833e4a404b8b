/**
 * Takes pictures of every screen and its states (`npm run pictures:screens`), into build/pictures: at three widths in both
 * schemes, and in three more views. Arguments select screens by the start of their names:
 * `npm run pictures:screens -- dashboard home`.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright";
import { visit } from "../../e2e/visit.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { signUp } from "../../integration/server/participant.ts";
import { repository } from "../../support/repository.ts";
import { pictured } from "./demo-peerings.ts";
import { launchPictureBrowser } from "./picture-browser.ts";
import { deployPeerings, openScreen, type Screen, screens } from "./screen-list.ts";

const folder = join(repository, "build/pictures");

const schemes = ["light", "dark"] as const;
const views: ReadonlyArray<readonly [name: string, options: BrowserContextOptions]> = [
  ...[390, 768, 1440].flatMap((width) =>
    schemes.map((colorScheme) => [`${width}-${colorScheme}`, { ...sizeOf(width), colorScheme }] as const),
  ),
  ["320-light", sizeOf(320)],
  // What a window of 1440 px shows at a zoom of 200 %.
  ["zoom-light", { ...sizeOf(720), deviceScaleFactor: 2 }],
  ["forced-colors", { ...sizeOf(1440), colorScheme: "dark", forcedColors: "active" }],
];

function sizeOf(width: number): BrowserContextOptions {
  return { viewport: { width, height: width < 600 ? 844 : 900 } };
}

const chosen = process.argv.slice(2);
await using server = await demoServer({ timeScale: 0.05, observeEveryMs: 500 });
const participant = await signUp(server.url, "4242420001");
const task = await deployPeerings(participant);
const success: Screen = {
  name: "success",
  path: `/manager/updatepeer/new?node=${pictured.at(-1)}&step=awaitingDeployment&task=${task}`,
  manager: true,
  seen: "Here is the config for your side:",
};
await mkdir(folder, { recursive: true });
await using browser = await launchPictureBrowser();
const isChosen = ({ name }: Screen) => chosen.length === 0 || chosen.some((start) => name.startsWith(start));
for (const screen of [...screens, success].filter(isChosen)) {
  for (const [view, options] of views) await take(browser, screen, view, options);
}

async function take(
  of: Browser,
  screen: Screen,
  view: string,
  options: BrowserContextOptions,
): Promise<void> {
  const file = join(folder, `${screen.name}-${view}.png`);
  await using opened = await visit(of, server.url, {
    ...options,
    ...(screen.manager && { as: participant }),
  });
  const { page } = opened;
  try {
    await openScreen(page, screen);
    await page.screenshot({ path: file, animations: "disabled", caret: "hide", fullPage: true });
  } catch (error) {
    throw new Error(`no picture of ${screen.name} in the view ${view}`, { cause: error });
  }
  process.stdout.write(`${file}\n`);
}

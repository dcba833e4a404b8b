/** What has to be true after every step. */
import type { Page } from "playwright";
import { everythingKept, type KeptText } from "../e2e/kept.ts";
import { patienceMs } from "./device.ts";
import { halfWritten, type Model, strangeTexts } from "./model.ts";
import type { World } from "./world.ts";

/** The app did what it must not do. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** @param loads how many documents the step may have loaded */
export async function lookAround(world: World, model: Model, loads: number): Promise<void> {
  const { device } = world;
  const page = device.page();
  await seesSomething(page);
  const loaded = device.takeLoads();
  if (loaded > loads)
    throw new Violation(`${loaded} documents were loaded where ${loads} were to be expected`);
  const [thrown] = device.takeErrors();
  if (thrown !== undefined) throw new Violation(`the app threw ${thrown}`);
  const kept = await everythingKept(page);
  keepsDrafts(kept, model);
  keepsSecrets([...kept, { where: "the document", holds: await shown(page) }], model);
}

async function seesSomething(page: Page): Promise<void> {
  const shows = page.waitForFunction(
    () => {
      const heading = document.querySelector<HTMLElement>("main h1, main h2, h1");
      return heading !== null && heading.innerText.trim() !== "" && heading.getClientRects().length > 0;
    },
    undefined,
    { timeout: patienceMs },
  );
  await shows.catch(async () => {
    throw new Violation(`the screen at ${page.url()} stays blank`);
  });
}

function keepsDrafts(kept: readonly KeptText[], model: Model): void {
  for (const text of halfWritten(model)) {
    if (!kept.some(({ holds }) => holds.includes(text))) throw new Violation(`the draft's «${text}» is lost`);
  }
}

function keepsSecrets(kept: readonly KeptText[], model: Model): void {
  for (const text of strangeTexts(model)) {
    const found = kept.find(({ holds }) => holds.includes(text));
    if (found) throw new Violation(`«${text}» of another person is in ${found.where}`);
  }
}

function shown(page: Page): Promise<string> {
  return page.evaluate(() => {
    const values = Array.from(
      document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"),
      ({ value }) => value,
    );
    return [document.documentElement.outerHTML, location.href, ...values].join("\n");
  });
}

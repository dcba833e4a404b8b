/** The invariants that are checked after every step. */
import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright";
import { dumpStorage, type StorageEntry } from "../../e2e/storage-dump.ts";
import { InvariantError } from "../campaigns/campaign.ts";
import { timeoutMs } from "./device.ts";
import { draftTexts, type Model, otherParticipantsTexts } from "./model.ts";
import type { Environment } from "./environment.ts";

/** @param maxLoads the number of documents that the step may load */
export async function checkInvariants(
  environment: Environment,
  model: Model,
  maxLoads: number,
): Promise<void> {
  const { device } = environment;
  const page = device.page();
  for (const tab of device.pages()) await checkScreenIsNotBlank(tab);
  const loaded = device.takeLoads();
  if (loaded > maxLoads)
    throw new InvariantError(`${loaded} documents were loaded, at most ${maxLoads} were expected`);
  const [thrown] = device.takeErrors();
  if (thrown !== undefined) throw new InvariantError(`the app threw ${thrown}`);
  const stored = await dumpStorage(page, "without app files");
  checkDraftsAreStored(stored, model);
  checkOtherDataIsAbsent([...stored, { store: "the document", content: await documentText(page) }], model);
  for (const tab of device.pages()) if (tab !== page) await waitUntilOtherDataIsAbsent(tab, model);
}

/** A message reports a logout or another login to the other tab, which takes a moment. */
async function waitUntilOtherDataIsAbsent(tab: Page, model: Model): Promise<void> {
  const limit = Date.now() + timeoutMs;
  for (;;) {
    try {
      return checkOtherDataIsAbsent([{ store: "the other tab", content: await documentText(tab) }], model);
    } catch (error) {
      if (Date.now() > limit) throw error;
      await pause(50);
    }
  }
}

async function checkScreenIsNotBlank(page: Page): Promise<void> {
  const shows = page.waitForFunction(
    () => {
      const heading = document.querySelector<HTMLElement>("main h1, main h2, h1");
      return heading !== null && heading.innerText.trim() !== "" && heading.getClientRects().length > 0;
    },
    undefined,
    { timeout: timeoutMs },
  );
  await shows.catch(async () => {
    throw new InvariantError(`the screen at ${page.url()} stays blank`);
  });
}

function checkDraftsAreStored(stored: readonly StorageEntry[], model: Model): void {
  for (const text of draftTexts(model)) {
    if (!stored.some(({ content: holds }) => holds.includes(text)))
      throw new InvariantError(`the draft's «${text}» is lost`);
  }
}

function checkOtherDataIsAbsent(stored: readonly StorageEntry[], model: Model): void {
  for (const text of otherParticipantsTexts(model)) {
    const found = stored.find(({ content: holds }) => holds.includes(text));
    if (found) throw new InvariantError(`«${text}» of another participant is in ${found.store}`);
  }
}

function documentText(page: Page): Promise<string> {
  return page.evaluate(() => {
    const values = Array.from(
      document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea"),
      ({ value }) => value,
    );
    return [document.documentElement.outerHTML, location.href, ...values].join("\n");
  });
}

import type { Browser, BrowserContext, CDPSession, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { participant } from "../../src/mocks/state.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { complaintsOf, withoutWorker } from "../e2e/visit.ts";
import {
  type AnsweringServer,
  answeringServer,
  type Backend,
  emptyPage,
  visitorCookie,
} from "./answering-server.ts";
import type { Row } from "./table/row.ts";

/** Playwright's own, said here since rows may change it. */
const viewport = { width: 1280, height: 720 };

export interface RowVisit {
  readonly page: Page;
  readonly backend: Backend;
}

export type RowTest = (visit: RowVisit) => Promise<void>;

export interface RowOptions<Id extends string> {
  /** Whether the participant is signed in. */
  readonly signedIn?: boolean;
  /** Rows that change what a tab cannot take back: the clock, which would stand still after them, or permissions. */
  readonly ownContext?: readonly Id[];
}

/** The name of a row's test. */
function rowName({ id, section, says }: Row): string {
  return `[${id}] section ${section}: ${says}`;
}

/**
 * A test for each row of a table, with a backend of its own. Rows have a browser in common with the files of the
 * app that it has loaded, and one tab, which is emptied of everything else after every row: starting a tab takes
 * longer than most rows do. A row without a test does not compile.
 */
export function testRows<const Rows extends readonly Row[]>(
  rows: Rows,
  tests: Readonly<Record<Rows[number]["id"], RowTest>>,
  { signedIn = false, ownContext = [] }: RowOptions<Rows[number]["id"]> = {},
): void {
  let server: AnsweringServer;
  let browser: Browser;
  /** As the last row left it, emptied; none before the first row and after one that failed. */
  let emptied: Tab | undefined;
  const newContext = async () => {
    const context = await browser.newContext({ baseURL: server.url, viewport });
    await withoutWorker(context);
    return context;
  };
  beforeAll(async () => {
    [server, browser] = await Promise.all([answeringServer(), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test.each(rows.map((row) => [rowName(row), row.id] as const))("%s", async (_, id: Rows[number]["id"]) => {
    expect.hasAssertions();
    const backend = server.admit(id);
    if (signedIn) backend.state.signedIn = participant.asn;
    const alone = ownContext.includes(id);
    const tab = (alone ? undefined : emptied) ?? (await openTab(await newContext()));
    if (tab === emptied) emptied = undefined;
    onTestFinished(async () => {
      if (tab !== emptied) await tab.page.context().close();
    });
    await tab.page.context().addCookies([{ name: visitorCookie, value: id, url: server.url }]);
    await tests[id]({ page: tab.page, backend });
    await empty(tab, server.url);
    expect(tab.complaints.splice(0)).toEqual([]);
    if (!alone) emptied = tab;
  });
}

interface Tab {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly complaints: string[];
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, devtools: await context.newCDPSession(page), complaints: complaintsOf(page) };
}

/** Ends the app in the tab, and takes away what the row left in the browser but for the files of the app. */
async function empty({ page, devtools }: Tab, origin: string): Promise<void> {
  // Before the next row's cookie comes: a poll of this row's must not be counted as one of the next.
  await page.goto(`${origin}${emptyPage}`);
  await page.evaluate(() => sessionStorage.clear());
  const storageTypes = "cookies,local_storage,indexeddb,cache_storage,service_workers";
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.setViewportSize(viewport);
}

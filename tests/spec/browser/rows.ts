import type { Browser, BrowserContext, CDPSession, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { participant } from "#mocks/state.ts";
import { sharedBrowser } from "../../e2e/browser.ts";
import { watchConsole, removeServiceWorkerApi } from "../../e2e/visit.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type IdOf, nameRows, type Rows } from "../table/row.ts";
import { type AppServer, emptyPage, startAppServer, visitorCookie } from "./app-server.ts";

/** Playwright's default, written down because rows may change it. */
const viewport = { width: 1280, height: 720 };

export interface RowVisit {
  readonly page: Page;
  readonly backend: Backend;
}

interface RowOptions<Id> {
  /** Whether the participant is logged in. */
  readonly isLoggedIn?: boolean;
  /** Rows that change what a tab cannot undo: the clock, which would stay stopped, or permissions. */
  readonly ownContext?: readonly Id[];
}

/**
 * Defines a test in Chromium, against the built app, for each row of a table. Each test has its own backend. All tests of a table share one tab, with the app's files in its cache, which is emptied after every
 * row: starting a tab takes longer than most rows do. A row without a test does not compile.
 */
export function testRows<Table extends Rows>(
  table: Table,
  tests: Readonly<Record<IdOf<Table>, (visit: RowVisit) => Promise<void>>>,
  { isLoggedIn = false, ownContext = [] }: RowOptions<IdOf<Table>> = {},
): void {
  let server: AppServer;
  let browser: Browser;
  /** The emptied tab of the last row; undefined before the first row and after a row that failed. */
  let emptied: Tab | undefined;
  const newContext = async () => {
    const context = await browser.newContext({ baseURL: server.url, viewport });
    await removeServiceWorkerApi(context);
    return context;
  };
  beforeAll(async () => {
    [server, browser] = await Promise.all([startAppServer(), sharedBrowser()]);
  });
  afterAll(async () => {
    await emptied?.page.context().close();
    await server[Symbol.asyncDispose]();
  });

  test.each(nameRows(table))("%s", async (_, id) => {
    expect.hasAssertions();
    const backend = server.createBackend(id);
    if (isLoggedIn) backend.state.loggedInAs = participant.asn;
    const alone = ownContext.includes(id);
    const tab = (alone ? undefined : emptied) ?? (await openTab(await newContext()));
    if (tab === emptied) emptied = undefined;
    onTestFinished(async () => {
      if (tab !== emptied) await tab.page.context().close();
    });
    await tab.page.context().addCookies([{ name: visitorCookie, value: id, url: server.url }]);
    await tests[id]({ page: tab.page, backend });
    await empty(tab, server.url);
    expect(tab.consoleErrors.splice(0)).toEqual([]);
    if (!alone) emptied = tab;
  });
}

interface Tab {
  readonly page: Page;
  readonly devtools: CDPSession;
  readonly consoleErrors: string[];
}

async function openTab(context: BrowserContext): Promise<Tab> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, devtools: await context.newCDPSession(page), consoleErrors: watchConsole(page) };
}

/** Ends the app in the tab, and removes what the row left in the browser, except the app's files. */
async function empty({ page, devtools }: Tab, origin: string): Promise<void> {
  // Before the next row's cookie is set: a poll of this row must not reach the next row's backend.
  await page.goto(`${origin}${emptyPage}`);
  await page.evaluate(() => sessionStorage.clear());
  const storageTypes = "cookies,local_storage,indexeddb,cache_storage,service_workers";
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes });
  await page.unrouteAll();
  await page.mouse.move(0, 0);
  await page.setViewportSize(viewport);
}

import type { Browser, BrowserContext, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { participant } from "../../src/mocks/state.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { complaintsOf } from "../e2e/visit.ts";
import { type AnsweringServer, answeringServer, type Backend, visitorCookie } from "./answering-server.ts";
import type { Row } from "./table/row.ts";

export interface RowVisit {
  readonly page: Page;
  readonly backend: Backend;
}

export type RowTest = (visit: RowVisit) => Promise<void>;

export interface RowOptions<Id extends string> {
  /** Whether the participant is signed in. */
  readonly signedIn?: boolean;
  /** Rows that stop the page's clock, which would stand still for the rows after them too. */
  readonly stopsClock?: readonly Id[];
}

/** The name of a row's test, which `table.test.ts` looks for. */
export function rowName({ id, section, says }: Row): string {
  return `[${id}] section ${section}: ${says}`;
}

/**
 * A test for each row of a table, with a tab and a backend of its own. The browser is shared with what it has
 * loaded of the app, and remembers nothing else from row to row. A row without a test does not compile.
 */
export function testRows<const Rows extends readonly Row[]>(
  rows: Rows,
  tests: Readonly<Record<Rows[number]["id"], RowTest>>,
  { signedIn = false, stopsClock = [] }: RowOptions<Rows[number]["id"]> = {},
): void {
  let server: AnsweringServer;
  let browser: Browser;
  let shared: BrowserContext;
  const newContext = () => browser.newContext({ baseURL: server.url, serviceWorkers: "block" });
  beforeAll(async () => {
    [server, browser] = await Promise.all([answeringServer(), launchBrowser()]);
    shared = await newContext();
  });
  afterAll(async () => {
    await browser.close();
    await server[Symbol.asyncDispose]();
  });

  test.each(rows.map((row) => [rowName(row), row.id] as const))("%s", async (_, id: Rows[number]["id"]) => {
    expect.hasAssertions();
    const backend = server.admit(id);
    if (signedIn) backend.state.signedIn = participant.asn;
    const context = stopsClock.includes(id) ? await newContext() : shared;
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints = complaintsOf(page);
    onTestFinished(async () => {
      if (context === shared) await forget(page, server.url);
      await (context === shared ? page : context).close();
      expect(complaints).toEqual([]);
    });
    await context.addCookies([{ name: visitorCookie, value: id, url: server.url }]);
    await tests[id]({ page, backend });
  });
}

/** Everything that a row left in the browser, except for the files of the app in its cache. */
async function forget(page: Page, origin: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const storageTypes = "cookies,local_storage,indexeddb,cache_storage,service_workers";
  await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes });
}

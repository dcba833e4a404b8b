/** Visits that end with the current test. Apart from `visit.ts`, which tools use as well. */
import type { Page } from "playwright";
import { expect, onTestFinished } from "vitest";
import { sharedBrowser } from "./browser.ts";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

export interface OpenOptions extends VisitOptions {
  /** Whether the test ends its server, or changes what a tab cannot undo: its clock, or scripts before the app. */
  readonly ownTab?: boolean;
}

/** Emptied tabs of tests that passed, by server and options. Starting a tab takes longer than most tests do. */
const emptied = new Map<string, Visit>();

/** Opens a page for the current test. When the test ends, its console must be empty. */
export async function openPage(url: string, options: OpenOptions = {}): Promise<Page> {
  return (await openVisit(url, options)).page;
}

/** Opens a visit for the current test, in the tab of an earlier one if there is one. */
export async function openVisit(
  url: string,
  { ownTab = false, as, viewport = { width: 1280, height: 720 }, ...options }: OpenOptions = {},
): Promise<Visit> {
  const browser = await sharedBrowser();
  if (ownTab || options.worker === true)
    return closeAfterTest(await visit(browser, url, { viewport, ...options, ...(as && { as }) }));
  const key = JSON.stringify([url, options]);
  const visited = emptied.get(key) ?? (await visit(browser, url, { viewport, ...options }));
  emptied.delete(key);
  const { page, consoleErrors } = visited;
  const errorsBefore = consoleErrors.length;
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== "fail") await empty(page, url);
    const errors = consoleErrors.slice(errorsBefore).join("\n");
    if (task.result?.state === "fail" || errors !== "" || emptied.has(key))
      await visited[Symbol.asyncDispose]();
    else emptied.set(key, visited);
    expect(errors).toBe("");
  });
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  await page.emulateMedia({
    colorScheme: options.colorScheme ?? null,
    reducedMotion: options.reducedMotion ?? "reduce",
  });
  if (as) {
    const [name = "", value = ""] = as.cookie.split("=");
    await page.context().addCookies([{ name, value, url }]);
  }
  return visited;
}

/** Opens a tab of its own for the current test, which ends with any console. */
export async function openUnwatched(url: string, options: VisitOptions = {}): Promise<Visit> {
  const visited = await visit(await sharedBrowser(), url, options);
  onTestFinished(() => visited[Symbol.asyncDispose]());
  return visited;
}

/** Closes a visit when the current test ends. Its console must be empty then. */
function closeAfterTest<V extends Visit>(visited: V): V {
  onTestFinished(async () => {
    await visited[Symbol.asyncDispose]();
    expect(visited.consoleErrors.join("\n")).toBe("");
  });
  return visited;
}

export async function closeEmptiedTabs(): Promise<void> {
  await Promise.all(Array.from(emptied.values(), (visited) => visited[Symbol.asyncDispose]()));
  emptied.clear();
}

/** Ends the app in a tab, and removes what the test left in the browser, except the app's files in its cache. */
async function empty(page: Page, url: string): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // A document of the same origin without the app.
  await page.goto(`${url}/provider.json`);
  await page.evaluate(() => sessionStorage.clear());
  const devtools = await page.context().newCDPSession(page);
  const storageTypes = "cookies,local_storage,indexeddb,cache_storage,service_workers";
  await devtools.send("Storage.clearDataForOrigin", { origin: new URL(url).origin, storageTypes });
  await devtools.detach();
  await page.mouse.move(0, 0);
}

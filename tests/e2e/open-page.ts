/** Visits that end with the current test. Apart from `visit.ts`, which tools use as well. */
import type { Browser, Page } from "playwright";
import { expect, onTestFinished } from "vitest";
import { visit, type Visit, type VisitOptions } from "./visit.ts";

/** Opens a page for the current test. When the test ends, the page is closed, and its console must be empty. */
export async function openPage(browser: Browser, url: string, options: VisitOptions = {}): Promise<Page> {
  return closeAfterTest(await visit(browser, url, options)).page;
}

/** Closes a visit when the current test ends. Its console must be empty then. */
export function closeAfterTest<V extends Visit>(visited: V): V {
  onTestFinished(async () => {
    await visited[Symbol.asyncDispose]();
    expect(visited.consoleErrors.join("\n")).toBe("");
  });
  return visited;
}

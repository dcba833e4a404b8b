/** Files share a worker's browser, so each closes the pages that it has opened there. */
import { afterAll, expect } from "vitest";
import { closeLeftPages } from "./browser.ts";
import { closeEmptiedTabs } from "./open-page.ts";

afterAll(async () => {
  await closeEmptiedTabs();
  expect(await closeLeftPages()).toEqual([]);
});

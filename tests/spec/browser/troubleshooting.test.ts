import type { Locator } from "playwright";
import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { expectFadesOf200ms, waitForAnimations, recordFades } from "./modals.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { button, expectShown } from "./screen.ts";
import {
  advertised,
  check,
  queries,
  received,
  type RouterQuery,
  troubleshootingTab,
} from "../scenarios/troubleshooting.ts";
import { troubleshootingRows } from "../table/troubleshooting.ts";

async function openTab({ page, backend }: RowVisit): Promise<void> {
  addPeering(backend.state);
  await page.goto(troubleshootingTab);
  await expectShown(button(page, check.button));
}

/** Clicks a button of the tab, and returns the modal that it opens. */
async function press({ page }: RowVisit, query: RouterQuery): Promise<Locator> {
  await button(page, query.button).click();
  const modal = page.getByRole("dialog", { name: query.title, exact: true });
  await expectShown(modal);
  return modal;
}

async function open(visit: RowVisit, query: RouterQuery): Promise<Locator> {
  await openTab(visit);
  return press(visit, query);
}

const within = (modal: Locator, name: string) => modal.getByRole("button", { name, exact: true });
/** Waits for the focus: the dialog receives keys only then. */
const focused = async (modal: Locator) =>
  await expect.poll(() => modal.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
const gone = (modal: Locator) => modal.waitFor({ state: "detached" });

const routes = "Table master4:\n10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a\n";

const lists =
  (query: RouterQuery): RowTest =>
  async (visit) => {
    visit.backend.reply(query.call, { output: routes });
    const modal = await open(visit, query);
    const listed = modal.getByRole("listitem");
    await expectShown(listed);
    expect(await listed.textContent()).toBe("10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a");
  };

const copies =
  (query: RouterQuery): RowTest =>
  async (visit) => {
    const { page, backend } = visit;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    backend.reply(query.call, { output: routes });
    await within(await open(visit, query), "Copy to clipboard").click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(routes);
  };

testRows(
  troubleshootingRows,
  {
    "received-output": lists(received),
    "advertised-output": lists(advertised),
    "received-copy": copies(received),
    "advertised-copy": copies(advertised),
    "routes-copied-flag": async (visit) => {
      const { page } = visit;
      await page.context().grantPermissions(["clipboard-write"]);
      const modal = await open(visit, advertised);
      await within(modal, "Copy to clipboard").waitFor();
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await within(modal, "Copy to clipboard").click();
      const flag = modal.getByText("copied", { exact: true });
      await expectShown(flag);
      await page.clock.runFor(1499);
      await expectShown(flag);
      await page.clock.runFor(1);
      await expectShown(within(modal, "Copy to clipboard"));
      expect(await flag.count()).toBe(0);
    },
    "query-waiting": async (visit) => {
      visit.backend.state.hanging.push(...queries.map(({ call }) => call));
      await openTab(visit);
      for (const query of queries) {
        const modal = await press(visit, query);
        const loader = modal.getByRole("status").filter({ hasText: "…" });
        await expectShown(loader, within(modal, "Cancel"));
        expect(await loader.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
        expect(await within(modal, "Close").count()).toBe(0);
        await within(modal, "Cancel").click();
        await gone(modal);
      }
    },
    "query-escape": async (visit) => {
      visit.backend.state.hanging.push(...queries.map(({ call }) => call));
      await openTab(visit);
      for (const query of queries) {
        const modal = await press(visit, query);
        await expectShown(within(modal, "Cancel"));
        await focused(modal);
        await visit.page.keyboard.press("Escape");
        await gone(modal);
      }
    },
    "query-transition": async (visit) => {
      const { page } = visit;
      await openTab(visit);
      await recordFades(page);
      for (const query of queries) {
        const modal = await press(visit, query);
        await expectShown(within(modal, "Close"));
        await waitForAnimations(modal);
        await page.keyboard.press("Escape");
        await gone(modal);
        await expectFadesOf200ms(page);
      }
    },
  },
  { isLoggedIn: true, ownContext: ["received-copy", "advertised-copy", "routes-copied-flag"] },
);

/** The lists of routes in the browser: rows under a finger, long lists, clipboard. */
import type { Page } from "playwright";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { deployPeering } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const demo = useDemo();

beforeAll(async () => {
  const { asn, call } = demo.participant;
  await deployPeering(demo.participant, "syd01", { remote_port: "11" });
  // The session comes up shortly after the deployment.
  await vi.waitFor(
    async () => {
      const check = await call(calls.troubleshootBGP, { username: asn, node: "syd01" });
      expect(check.received_routes.ipv6).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 200 },
  );
});

async function open(search: string): Promise<Page> {
  const page = await openPage(demo.url, {
    as: demo.participant,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await page.goto(`/manager?node=syd01${search}`);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a whole row opens a refused route on a phone, and is high enough for a finger", async () => {
  const page = await open("&tab=troubleshooting&routes=refused");
  await page.setViewportSize({ width: 320, height: 740 });
  const table = page.getByRole("table", { name: "Refused routes" });
  const row = table.getByRole("row").nth(2);
  const prefix = row.getByRole("button", { expanded: false });
  await prefix.waitFor();
  for (const target of [row, table.getByRole("button", { name: "Reason" })]) {
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  // Far from the prefix.
  await row.click({ position: { x: 230, y: 40 } });
  await row.getByText("How to fix it").waitFor();
  const [scrollWidth, clientWidth] = await table.evaluate(({ parentElement }) => [
    parentElement?.scrollWidth,
    parentElement?.clientWidth,
  ]);
  expect(scrollWidth).toBe(clientWidth);
});

/** A route as BIRD lists it. */
function entry(index: number): string {
  const prefix = `10.${Math.floor(index / 256)}.${index % 256}.0/24`;
  return (
    `${prefix.padEnd(20)} unicast [dn42_4242420001 2026-11-20] * (100) [AS${4_200_000_000 + index}i]\n` +
    `\tvia fe80::1 on dn42_4242420001\n\tBGP.as_path: 4242420001 ${4_200_000_000 + index}\n` +
    `\tBGP.large_community: (4242422227, 14, ${index})`
  );
}

describe("a listing of a mebibyte", () => {
  const count = 5500;
  const output = `Table master4:\n${Array.from({ length: count }, (_, index) => entry(index)).join("\n")}\n`;

  async function openListing() {
    const page = await open("&tab=troubleshooting");
    await page.route(`**${calls.getPeerAdvertisedRoutes.path}`, (route) =>
      route.fulfill({ json: { output } }),
    );
    await button(page, "Routes advertised to you").click();
    await page.getByText(`${count} routes`, { exact: true }).waitFor();
    const list = page.getByRole("region", { name: "Routes advertised to you" });
    return { page, list, rows: list.getByRole("listitem") };
  }

  test("renders few rows, can be scrolled, keeps the selection, can be searched, and is copied completely", async () => {
    expect(output.length).toBeGreaterThan(2 ** 20);
    const { page, list, rows } = await openListing();
    await rows.first().waitFor();
    expect(await rows.first().innerText()).toBe(entry(0));
    expect(await rows.count()).toBeLessThan(60);
    await rows.first().evaluate((row) => document.getSelection()?.selectAllChildren(row));
    await list.focus();
    await page.keyboard.press("End");
    await list.getByText(`AS${4_200_000_000 + count - 1}i`).waitFor();
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(entry(0));
    expect(await rows.last().getAttribute("aria-posinset")).toBe(String(count));
    expect(await rows.count()).toBeLessThan(60);
    const cutOff = await rows.evaluateAll(
      (all) => all.filter((row) => row.scrollHeight > row.clientHeight).length,
    );
    expect(cutOff).toBe(0);
    await page.getByLabel("Filter").fill("10.20.3.0/24");
    await page.getByText(`1 of ${count} routes`).waitFor();
    expect(await rows.allInnerTexts()).toEqual([entry(20 * 256 + 3)]);
    await button(page, "Copy to clipboard").click();
    await page.getByRole("button", { name: "copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(output);
  });
});

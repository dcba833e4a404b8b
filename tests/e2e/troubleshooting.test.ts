/** The overview's tabs and the modals of Troubleshooting in the browser: keyboard, focus, long lists, clipboard. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { createEndlessPings, startAgentWithRouter } from "../integration/server/agent-with-router.ts";
import {
  deployPeering,
  waitForTask,
  type Participant,
  peerUpdate,
  signUp,
} from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { readFocus } from "./keyboard.ts";
import { openPage } from "./open-page.ts";
import { visit } from "./visit.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  // Without a time scale a ping takes three seconds.
  [server, browser] = await Promise.all([demoServer({ timeScale: 1 }), sharedBrowser()]);
  participant = await signUp(server.url, "4242420001");
  const { asn, call } = participant;
  const update = peerUpdate({ node: "syd01", remote_port: "11" });
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, update]);
  expect(await waitForTask(participant, taskID)).toMatchObject({ status: "success" });
  // The session comes up shortly after the deployment.
  await vi.waitFor(
    async () => {
      const check = await call(calls.troubleshootBGP, { username: asn, node: "syd01" });
      expect(check.received_routes.ipv6).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 1000 },
  );
});
afterAll(() => server[Symbol.asyncDispose]());

async function open(search: string): Promise<Page> {
  const page = await openPage(browser, server.url, {
    as: participant,
    permissions: ["clipboard-read", "clipboard-write"],
    // A test measures the modals' transition.
    reducedMotion: "no-preference",
  });
  await page.goto(`/manager?node=syd01${search}`);
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Waits until the element with this name has the focus. */
async function waitForFocus(page: Page, name: string): Promise<void> {
  await expect.poll(async () => (await readFocus(page)).name).toBe(name);
}

test("arrow keys move through the four tabs, update the address and keep the focus", async () => {
  const page = await open("");
  await page.getByText("Established ✅").waitFor();
  await page.getByRole("tab", { name: "Status" }).focus();
  for (const [name, tab, seen] of [
    ["Detailed Info", "details", "Output from syd01"],
    ["Troubleshooting", "troubleshooting", "BGP config verification"],
    ["Edit Peering", "edit", "Configuration for your router"],
  ] as const) {
    await page.keyboard.press("ArrowRight");
    await page.getByText(seen).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe(tab);
    expect(await readFocus(page)).toMatchObject({ name, role: "tab", hasFocusRing: true });
  }
  await page.keyboard.press("ArrowRight");
  await waitForFocus(page, "Status");
  await page.keyboard.press("Shift+Tab");
  await waitForFocus(page, "Show refused routes");
});

/** Runs in the page. Records the name and the duration of every animation of a dialog. */
function recordAnimations(): void {
  const faded: string[] = [];
  Reflect.set(window, "faded", faded);
  document.addEventListener("animationstart", ({ target, animationName }) => {
    if (!(target instanceof HTMLElement) || target.role !== "dialog") return;
    faded.push(`${animationName} ${getComputedStyle(target).animationDuration}`);
  });
}

describe("a modal", () => {
  test("takes the focus, fades for 200 ms, aborts its request on Escape, and returns the focus", async () => {
    const page = await open("&tab=troubleshooting");
    const failed: string[] = [];
    page.on("requestfailed", (request) => failed.push(`${request.url()} ${request.failure()?.errorText}`));
    await page.evaluate(recordAnimations);
    await button(page, "IPv6 Ping Check").press("Enter");
    const modal = page.getByRole("dialog", { name: "Ping Check" });
    await modal.getByText("Pinging your IPv6 tunnel address…").waitFor();
    await waitForFocus(page, "Cancel");
    // The dialog has the focus before its first frame.
    await page.waitForFunction(() => (Reflect.get(window, "faded") as string[]).length > 0);
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    expect(await page.evaluate(() => Reflect.get(window, "faded") as unknown)).toEqual([
      "appear 0.2s",
      "vanish 0.2s",
    ]);
    await waitForFocus(page, "IPv6 Ping Check");
    expect(failed).toEqual([`${server.url}${calls.pingCheck.path} net::ERR_ABORTED`]);
    await page.keyboard.press("Enter");
    await modal.getByText("Your router replied over IPv6.").waitFor();
    await waitForFocus(page, "Close");
    await page.keyboard.press("Enter");
    await modal.waitFor({ state: "detached" });
    await waitForFocus(page, "IPv6 Ping Check");
  });

  test("ends the node's ping on Cancel", async () => {
    const { pings, ping } = createEndlessPings();
    await using endless = await startAgentWithRouter({ ping });
    const { url, node } = endless;
    const as = await signUp(url, "4242420001");
    await deployPeering(as, node);
    await using visited = await visit(browser, url, { as });
    const { page, consoleErrors } = visited;
    await page.goto(`/manager?node=${node}&tab=troubleshooting`);
    await button(page, "IPv6 Ping Check").click();
    await expect.poll(() => pings).toEqual({ started: 1, ended: 0 });
    await button(page, "Cancel").click();
    await expect.poll(() => pings).toEqual({ started: 1, ended: 1 });
    await waitForFocus(page, "IPv6 Ping Check");
    expect(consoleErrors).toEqual([]);
  });

  test("leads from the counts of the BGP check to the reasons, and back to a button", async () => {
    const page = await open("&tab=troubleshooting");
    await button(page, "Check BGP config").click();
    await button(page, "Show refused routes").click();
    const modal = page.getByRole("dialog", { name: "Show received routes" });
    await modal.getByText("The node refuses 9 IPv4 routes and 9 IPv6 routes.").waitFor();
    await modal.getByText("0.0.0.0/0 is a default route").waitFor();
    expect(await modal.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Escape");
    await modal.waitFor({ state: "detached" });
    await waitForFocus(page, "Routes received from you");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });
});

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

  test("renders few rows, can be scrolled to its end, and can be searched", async () => {
    expect(output.length).toBeGreaterThan(2 ** 20);
    const { page, list, rows } = await openListing();
    await rows.first().waitFor();
    expect(await rows.first().innerText()).toBe(entry(0));
    expect(await rows.count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press("End");
    await list.getByText(`AS${4_200_000_000 + count - 1}i`).waitFor();
    expect(await rows.last().getAttribute("aria-posinset")).toBe(String(count));
    expect(await rows.count()).toBeLessThan(60);
    const cutOff = await rows.evaluateAll(
      (all) => all.filter((row) => row.scrollHeight > row.clientHeight).length,
    );
    expect(cutOff).toBe(0);
    await page.getByLabel("Filter").fill("10.20.3.0/24");
    await page.getByText(`1 of ${count} routes`).waitFor();
    expect(await rows.allInnerTexts()).toEqual([entry(20 * 256 + 3)]);
  });

  test("keeps the selection while it is scrolled, and is copied completely", async () => {
    const { page, list, rows } = await openListing();
    await rows.first().waitFor();
    await rows.first().evaluate((row) => document.getSelection()?.selectAllChildren(row));
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await list.getByText(`AS${4_200_000_000 + count - 1}i`).waitFor();
    expect(await page.evaluate(() => document.getSelection()?.toString())).toBe(entry(0));
    await button(page, "Copy to clipboard").click();
    await page.getByRole("button", { name: "copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(output);
    await button(page, "Copy to clipboard").waitFor();
  });
});

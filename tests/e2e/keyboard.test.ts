/** The main job with the keyboard alone: every screen takes the focus to its heading, and Tab goes on from there. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { randomKey, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { arriveAt, focused, tab, tabTo } from "./keyboard.ts";
import { visit } from "./visit.ts";

const asn = "4242420001";
const password = "a sentence for the tests";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  await signUp(server.url, asn, password);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function signIn(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { name: "Peer with Peerdeck Demo" }).waitFor();
  await tabTo(page, "Go to Peering Manager");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Login page");
  expect(await tab(page)).toBe("ASN");
  await page.keyboard.type(asn);
  expect(await tab(page)).toBe("Password");
  await page.keyboard.type(password);
  expect(await tab(page)).toBe("Login");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Dashboard");
}

async function create(page: Page): Promise<void> {
  expect(await tab(page)).toBe("Create new peering");
  await page.keyboard.press("Enter");

  await arriveAt(page, "Select a node");
  expect(await tab(page)).toMatch(/^syd01/);
  expect(await tab(page)).toMatch(/^per01/);
  expect(await tab(page, "Shift+Tab")).toMatch(/^syd01/);
  await page.keyboard.press("Space");
  const passed = await tabTo(page, "Next");
  expect(passed.map((name) => name.slice(0, 5))).toEqual([
    "per01",
    "sin01",
    "de01.",
    "ny01.",
    "za01.",
    "Cance",
  ]);
  await page.keyboard.press("Enter");

  await arriveAt(page, "BGP details");
  expect(await tab(page)).toBe("IPv4");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  expect((await focused(page)).name).toBe("Both");
  expect(await tab(page)).toBe("Yes");
  await page.keyboard.press("Space");
  expect(await tab(page)).toBe("Yes");
  await page.keyboard.press("ArrowRight");
  expect((await focused(page)).name).toBe("No");
  expect(await tabTo(page, "Next")).toEqual(["Cancel", "Back"]);
  await page.keyboard.press("Enter");

  await arriveAt(page, "Your details");
  for (const [label, value] of [
    ["Public IP or hostname", "198.51.100.7"],
    ["Port", "51820"],
    ["Public key", randomKey()],
    ["IPv6 tunnel address", "fe80::1"],
  ] as const) {
    expect(await tab(page)).toBe(label);
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
  await arriveAt(page, "Confirm your details");
  expect(await tabTo(page, "Submit")).toEqual(["Cancel", "Back"]);
  await page.keyboard.press("Enter");
  await arriveAt(page, "Success!");
}

/** From the end of a deployment to the peering's last tab. */
async function openEditTab(page: Page): Promise<void> {
  expect(await tab(page)).toBe("View peering");
  await page.keyboard.press("Enter");
  await arriveAt(page, "syd01.demo.dn42");
  expect(await tab(page)).toBe("Status");
  await page.keyboard.press("End");
  await expect.poll(() => focused(page)).toMatchObject({ name: "Edit Peering", role: "tab" });
  await page.getByRole("heading", { name: "Current configuration" }).waitFor();
}

async function edit(page: Page): Promise<void> {
  await openEditTab(page);
  await tabTo(page, "Change your details");
  await page.keyboard.press("Enter");
  await arriveAt(page, "BGP details");
  await tabTo(page, "Next");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Your details");
  expect(await tabTo(page, "Port")).toEqual(["Public IP or hostname"]);
  await page.keyboard.type("51999");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Confirm your details");
  await tabTo(page, "Submit");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Success!");
}

async function remove(page: Page): Promise<void> {
  await openEditTab(page);
  await page.getByText("198.51.100.7:51999").waitFor();
  await tabTo(page, "Delete peering");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Confirm peer deletion" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(async () => (await focused(page)).name).toBe("Delete peering");

  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await expect.poll(async () => (await focused(page)).name).toBe("No");
  expect(await tab(page)).toBe("Yes");
  expect(await tab(page)).toBe("No");
  expect(await tab(page, "Shift+Tab")).toBe("Yes");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Success!");
  await page.getByText("You have successfully deleted the peering on this node.").waitFor();
  await tabTo(page, "Close");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Peer with Peerdeck Demo");
}

test("signs in, creates a peering, edits it and deletes it without a mouse", async () => {
  await using opened = await visit(browser, server.url, { viewport: { width: 1280, height: 900 } });
  const { page, complaints } = opened;
  await signIn(page);
  await create(page);
  await edit(page);
  await remove(page);
  expect(complaints).toEqual([]);
});

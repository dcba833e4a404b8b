/** The main job with the keyboard alone: every screen takes the focus to its heading, and Tab goes on from there. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { randomKey } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { arriveAt, focused, tab, tabTo } from "./keyboard.ts";
import { visit } from "./visit.ts";

const asn = "4242420001";
const password = "a sentence for the tests";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

/** From the front page to an account: the mail is opened by its address, all else by keys. */
async function register(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { name: "Peer with Peerdeck Demo" }).waitFor();
  await tabTo(page, "Go to Peering Manager");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Login page");
  await tabTo(page, "Register for an account");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Register");
  expect(await tab(page)).toBe("ASN");
  await page.keyboard.type(asn);
  await page.keyboard.press("Enter");
  await page.getByText("We have send a link to the email address").waitFor();

  // The outbox stands for somebody's mail program, whose focus is its own affair.
  await page.goto("/demo/outbox");
  const link = page.getByRole("link", { name: /setPassword\?token=/ });
  const address = await link.textContent();
  do await page.keyboard.press("Tab");
  while ((await focused(page)).name !== address);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Set password" }).waitFor();
  await tabTo(page, "Password");
  await page.keyboard.type(password);
  expect(await tab(page)).toBe("Confirm password");
  await page.keyboard.type(password);
  expect(await tab(page)).toBe("Submit");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Success!" }).waitFor();
  await tabTo(page, "Back to login");
  await page.keyboard.press("Enter");
}

async function signIn(page: Page): Promise<void> {
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

/** By the menu, which stands before the screen. */
async function signOut(page: Page): Promise<void> {
  await tabTo(page, "Go to Peering Manager");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Dashboard");
  await tab(page, "Shift+Tab");
  expect((await focused(page)).name).toBe("Logout");
  await page.keyboard.press("Enter");
  await arriveAt(page, "Peer with Peerdeck Demo");
}

test("registers, signs in, creates a peering, edits it, deletes it and signs out without a mouse", async () => {
  await using opened = await visit(browser, server.url, { viewport: { width: 1280, height: 900 } });
  const { page, complaints } = opened;
  await register(page);
  await signIn(page);
  await create(page);
  await edit(page);
  await remove(page);
  await signOut(page);
  expect(complaints).toEqual([]);
});

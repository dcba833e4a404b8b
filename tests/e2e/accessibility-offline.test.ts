/**
 * Notices about the connection, new versions and finished deployments, and what the app shows without a connection: axe
 * reports no violation, on a phone in the light scheme and a desktop in the dark scheme, and no notice permanently covers
 * other content.
 */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  deployPeering,
  type Participant,
  setNodeMode,
  signUp,
  submitPeering,
  waitForTask,
} from "../integration/server/participant.ts";
import { oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { createAudit, openScreen } from "./axe-audit.ts";
import { checkForNewVersion, installDevice, type InstalledDevice } from "./installed-device.ts";
import { pressTab } from "./keyboard.ts";
import { startNetworkProxy } from "./network-proxy.ts";
import { completionNotices, offlineNotice, findOverlaps, updateNotice } from "./notifications.ts";
import { type PublishedApp, startPublishedApp, type Version, createVersion } from "./published-app.ts";
import { openUnwatched } from "./open-page.ts";
import { fillToConfirm } from "./wizard.ts";

let app: PublishedApp;
let first: Version;
let participant: Participant;
/** The app installed, for all tests of the lost connection or of the notices. */
let device: InstalledDevice;
let page: Page;

beforeAll(async () => {
  first = await createVersion(1);
  app = await startPublishedApp(first.folder, { timeScale: 0.01, waitMs: 600_000 });
  participant = await signUp(app.url, "4242420001");
  for (const node of ["de01", "sin01"]) await deployPeering(participant, node);
  device = await installDevice(app.url, "/manager", {
    as: participant,
    viewport: { width: 1440, height: 800 },
  });
  ({ page } = device);
});
afterAll(async () => {
  await device[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
  await first[Symbol.asyncDispose]();
});

const follow = (link: string) => page.getByRole("link", { name: link, exact: true }).first().click();

const cached = [
  ["home", "/", "What this network is"],
  // A link of the demo is sometimes down.
  ["map", "/map", "10 links are up"],
  ["status", "/status", "All 6 nodes are up."],
  ["dashboard", "/manager", "node: de01"],
  ["overview", "/manager?node=de01", "Hostname"],
  ["details", "/manager?node=de01&tab=details", "interface: "],
  ["troubleshooting", "/manager?node=de01&tab=troubleshooting", "Restart BGP"],
  ["edit tab", "/manager?node=de01&tab=edit", "198.51.100.7"],
  ["node status", "/manager?view=nodes", "de01 - iface"],
  ["stats", "/manager?view=stats", "Total routes"],
  ["activity", "/manager/activity", "You created the peering on de01"],
  ["contact", "/manager?view=contact", "Your message"],
  ["node step", "/manager/updatepeer/new", "already peered"],
] as const;
const neverOpened = [
  ["details of sin01", "/manager?node=sin01&tab=details", "The node's output could not be loaded."],
  ["registration", "/register", "Already have an account?"],
] as const;

test("every screen with cached data, and screens without, offline", { timeout: 240_000 }, async () => {
  expect.hasAssertions();
  const opened = shareOfCommit(cached);
  for (const [, path, seen] of opened) {
    await openScreen(page, path);
    await page.getByText(seen).first().waitFor();
  }
  device.proxy.set("down");
  // Nothing is left in the app's memory.
  await page.goto("/manager");
  const audit = createAudit(page);
  for (const [screen, path, seen] of [...opened, ...neverOpened]) {
    await openScreen(page, path);
    await page.getByText(seen).first().waitFor();
    await audit(`${screen}, offline`, offlineNotice(page));
  }
});

test("the confirm step with a restored form", async () => {
  expect.hasAssertions();
  device.proxy.set("up");
  await fillToConfirm(page, "syd01", "172.20.1.5");
  await page.reload();
  const audit = createAudit(page);
  await audit("draft", page.getByText("This is what you entered before."));
  device.proxy.set("down");
  await page.reload();
  await audit("confirm step, offline", page.getByText("The server cannot be reached right now"));
});

test.each(oneOfCommit([360, 1440]))(
  "the offline notice does not cover the focus when it appears, at %i px",
  async (width) => {
    device.proxy.set("up");
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/manager");
    await page.getByText("node: sin01").waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.getByRole("link", { name: "Demo nodes" }).focus();
    expect(await offlineNotice(page).count()).toBe(0);
    device.proxy.set("down");
    await offlineNotice(page).waitFor({ timeout: 60_000 });
    const bottomOfFocus = () => page.locator(":focus").evaluate((it) => it.getBoundingClientRect().bottom);
    const topOfNotice = () => offlineNotice(page).evaluate((it) => it.getBoundingClientRect().top);
    const isVisible = async () => (await bottomOfFocus()) <= (await topOfNotice());
    await expect.poll(isVisible).toBe(true);
    // Content that is loaded later moves the focus.
    await page.locator("main").evaluate((main) => (main.style.paddingTop = "60px"));
    await expect.poll(isVisible).toBe(true);
  },
);

async function waitForNotices(): Promise<void> {
  for (const notice of [offlineNotice, completionNotices, updateNotice]) await notice(page).waitFor();
}

describe("the notices of a lost connection, a new version and a finished deployment", () => {
  let second: Version;

  beforeAll(async () => {
    second = await createVersion(2);
    device.proxy.set("up");
    await page.setViewportSize({ width: 1440, height: 800 });
    await setNodeMode(app.demo.url, "ny01", "offline");
    const taskID = await submitPeering(participant, "ny01");
    await page.goto("/manager");
    await page.getByText("Deploying…").waitFor();
    app.publish(second.folder);
    await checkForNewVersion(page);
    // A reload would interrupt the deployment.
    expect(await updateNotice(page).count()).toBe(0);
    await setNodeMode(app.demo.url, "ny01", "normal");
    await waitForTask(participant, taskID);
    await Promise.all([completionNotices(page).waitFor(), updateNotice(page).waitFor()]);
    device.proxy.set("down");
    await follow("Node Status");
    await offlineNotice(page).waitFor();
    await follow("Contact");
    await page.getByLabel("Your message").waitFor();
  });
  afterAll(async () => {
    app.publish(first.folder);
    await second[Symbol.asyncDispose]();
  });

  test("are accessible together", async () => {
    expect.hasAssertions();
    const audit = createAudit(page);
    await audit("all three", offlineNotice(page));
  });

  test.each(oneOfCommit([360, 1440]))(
    "cover neither each other nor the end of the page, at %i px",
    async (width) => {
      await waitForNotices();
      await page.setViewportSize({ width, height: 740 });
      expect(await findOverlaps(page)).toEqual([]);
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      const lastLines = {
        "the button": page.getByRole("button", { name: "Submit" }),
        "the end": page.locator("aside"),
      };
      expect(await findOverlaps(page, lastLines)).toEqual([]);
    },
  );

  test.each(oneOfCommit([360, 1440]))(
    "do not cover the focus, forwards and backwards, at %i px",
    async (width) => {
      await waitForNotices();
      await page.setViewportSize({ width, height: 740 });
      // The menu opens or closes with the width, and a link in it would lose the focus.
      await page.getByRole("button", { name: "= menu", expanded: width === 1440 }).focus();
      const covered: string[] = [];
      const walk = async (key: "Tab" | "Shift+Tab", until: string) => {
        let name = "";
        while (name !== until) {
          name = await pressTab(page, key);
          covered.push(...(await findOverlaps(page)).map((each) => `${each}: ${name}`));
        }
      };
      await walk("Tab", "Later");
      await walk("Shift+Tab", "= menu");
      expect(covered).toEqual([]);
    },
  );

  test("are below a dialog on a phone", async () => {
    device.proxy.set("up");
    await page.setViewportSize({ width: 1440, height: 740 });
    await follow("Dashboard");
    await follow("View de01.demo.dn42");
    await page.getByRole("tab", { name: "Troubleshooting" }).click();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "Restart BGP" }).click();
    // The click times out if another element covers the button.
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await updateNotice(page).count()).toBe(1);
  });
});

test("a part of the app that cannot be loaded", async () => {
  expect.hasAssertions();
  await using proxy = await startNetworkProxy(app.url);
  await using incomplete = await createVersion(3, { missing: ["about-"] });
  const { page: visitor } = await openUnwatched(proxy.url);
  const audit = createAudit(visitor);
  const loseAboutBy = async (lose: () => void) => {
    await visitor.setViewportSize({ width: 1280, height: 900 });
    await visitor.goto("/");
    await visitor.getByText("What this network is").waitFor();
    lose();
    await visitor.getByRole("link", { name: "About", exact: true }).first().click();
  };
  await loseAboutBy(() => proxy.set("down"));
  await audit("not stored", visitor.getByText("This part of the app is not stored on your device"));
  proxy.set("up");
  await loseAboutBy(() => app.publish(incomplete.folder));
  await audit("missing", visitor.getByText("This part of the app is missing on the server too"));
});

import type { Page } from "playwright";
import { expect } from "vitest";
import { calls } from "#contract/calls.ts";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill, nextStep, submit } from "../../e2e/wizard.ts";
import { testRows } from "./rows.ts";
import { button, expectAddress, heading, link, expectShown, text } from "./screen.ts";
import { routeRows } from "../table/browser/routes.ts";

const username = participant.asn;

/** The public navigation, which the plain layout and the manager do not have. */
const mainNav = (page: Page) => page.getByRole("navigation", { name: "Main" });

async function expectPlainLayout(page: Page, path: string, content: string): Promise<void> {
  await expectShown(heading(page, content));
  await expectAddress(page, path);
  expect(await page.getByRole("navigation").count()).toBe(0);
  const { left, right } = await page.getByRole("main").evaluate((main) => ({
    left: main.getBoundingClientRect().left,
    // Without the place that is reserved for the scroll bar.
    right: document.body.getBoundingClientRect().right - main.getBoundingClientRect().right,
  }));
  expect(left).toBeGreaterThan(100);
  expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
}

testRows(routeRows, {
  "routing-history": async ({ page, backend }) => {
    const checks = () => backend.received("authStatus").length;
    // A navigation before the response to the previous check shares that check.
    const awaitCheck = async (go: () => Promise<unknown>) => {
      const answer = page.waitForResponse((response) => response.url().endsWith(calls.authStatus.path));
      await go();
      await (await answer).finished();
    };
    await awaitCheck(() => page.goto("/"));
    await expectShown(link(page, "Register"));
    await expect.poll(checks).toBe(1);
    await awaitCheck(() => link(page, "Register").click());
    await expectAddress(page, "/register");
    await expect.poll(checks).toBe(2);
    await awaitCheck(() => page.goBack());
    await expectAddress(page, "/");
    await expect.poll(checks).toBe(3);
    await page.goForward();
    await expectShown(heading(page, "Register"));
    await expectAddress(page, "/register");
    // The same applies to a participant who is logged in, until the login session has ended.
    backend.state.loggedInAs = username;
    await page.goto("/manager");
    await expectShown(heading(page, "Dashboard"));
    const before = checks();
    await link(page, "Stats").click();
    await expectShown(heading(page, "Stats"));
    await expect.poll(checks).toBeGreaterThan(before);
    backend.state.loggedInAs = null;
    await link(page, "Contact").click();
    await expectAddress(page, "/login?from=%2Fmanager%3Fview%3Dcontact");
  },
  "routing-unknown-file": async ({ page }) => {
    for (const path of ["/manager/x.y", "/index.php?id=1"]) {
      await page.goto(path);
      await expectShown(heading(page, "404 not found :("));
      await expectAddress(page, "/not-found");
      expect(await page.evaluate(async (missing) => (await fetch(missing)).status, path)).toBe(404);
    }
  },
  "layout-plain": async ({ page }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto("/setPassword");
    await expectPlainLayout(page, "/setPassword", "Set password");
    await link(page, "Back to login").click();
    await expectPlainLayout(page, "/login", "Login page");
    await link(page, "Register for an account").click();
    await expectPlainLayout(page, "/register", "Register");
    await page.goBack();
    await link(page, "Forgot password?").click();
    await expectPlainLayout(page, "/forgotPassword", "Password Reset");
  },
  "layout-nav-active": async ({ page }) => {
    const all = mainNav(page).getByRole("link");
    /** The links whose background differs from that of an inactive link. */
    const highlighted = (idle: string) =>
      all.evaluateAll(
        (each, ground) =>
          each
            .filter((element) => getComputedStyle(element).backgroundColor !== ground)
            .map((element) => element.textContent),
        idle,
      );
    await page.goto("/not-found");
    await all.first().waitFor();
    expect(await mainNav(page).locator("[aria-current=page]").count()).toBe(0);
    const idle = await all.first().evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await highlighted(idle)).toEqual([]);
    for (const name of ["Home", "Status", "Map", "About"]) {
      await all.and(page.getByRole("link", { name, exact: true })).click();
      await expectShown(mainNav(page).locator("[aria-current=page]").getByText(name, { exact: true }));
      // The pointer changes the colour of the link below it.
      await page.mouse.move(0, 700);
      await expect.poll(() => highlighted(idle)).toEqual([name]);
    }
  },
  "status-frame": async ({ page, backend }) => {
    const address = "https://status.example.org/";
    await page.route(`${address}**`, (route) =>
      route.fulfill({
        contentType: "text/html",
        body: "<script>document.write('<h1>All is up</h1>')</script>",
      }),
    );
    backend.reply("provider", { ...provider, status_page: address });
    await page.goto("/status");
    const frame = page.locator("iframe");
    await expectShown(frame.contentFrame().getByRole("heading", { name: "All is up" }));
    expect(await frame.getAttribute("src")).toBe(address);
    expect(await frame.evaluate((element) => element.getBoundingClientRect().height)).toBe(800);
  },
  "panels-drawn": async ({ page, backend }) => {
    backend.state.loggedInAs = username;
    addPeering(backend.state);
    const expectDrawn = async (title: string, image?: RegExp) => {
      const panel = page.getByRole("region", { name: title, exact: true });
      await expectShown(
        panel.getByText("last 3 hours", { exact: true }),
        panel.getByRole("img", { ...(image && { name: image }) }),
      );
    };
    await page.goto("/manager?view=nodes");
    for (const title of ["Node CPU usage", "Node memory usage", `syd01 - iface AS${username}`])
      await expectDrawn(title);
    expect(await page.locator("iframe").count()).toBe(0);
    await link(page, "Stats").click();
    await expectDrawn("Total routes", /IPv4/);
    expect(await page.locator("iframe").count()).toBe(0);
  },
  "register-error-link": async ({ page, backend }) => {
    backend.refuse("sendEmailVerification", 503, { message: "The registry copy is too old." });
    await page.goto("/register");
    await fill(page, { ASN: "4242420009" });
    await button(page, "Next").click();
    await expectShown(heading(page, "Error"));
    // The memory of the old page is gone after a reload.
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await link(page, "Back to registration").click();
    await page.waitForFunction(() => !("kept" in window));
    await expectAddress(page, "/register");
    await expectShown(button(page, "Next"));
  },
  "calls-credentials": async ({ page, backend }) => {
    backend.state.loggedInAs = username;
    addPeering(backend.state);
    await page.goto("/manager?node=syd01&tab=edit");
    await expectShown(heading(page, "Current configuration"));
    await page.goto("/manager/updatepeer/edit?node=syd01");
    await nextStep(page);
    await nextStep(page);
    await submit(page);
    await expectShown(text(page, "mock-2"));
    const polls = () => [...backend.received("getTaskStatus"), ...backend.withoutCredentials()];
    await expect.poll(() => polls().length).toBeGreaterThan(0);
    expect(backend.withoutCredentials()).toEqual([]);
    const posts = backend.received().filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ path }) => path)).size).toBeGreaterThan(4);
    for (const { path, body } of posts) {
      const [first] = Array.isArray(body) ? (body as readonly unknown[]) : [body];
      expect([path, first]).toEqual([path, expect.objectContaining({ username })]);
    }
  },
});

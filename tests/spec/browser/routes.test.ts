import type { Page } from "playwright";
import { expect } from "vitest";
import { calls } from "#contract/calls.ts";
import { participant } from "#mocks/state.ts";
import { type RowTest, testRows } from "./rows.ts";
import { expectAddress, heading, link, expectShown } from "./screen.ts";
import { routeRows } from "../table/routes.ts";

/** The public navigation, which the plain layout and the manager do not have. */
const mainNav = (page: Page) => page.getByRole("navigation", { name: "Main" });

const inPlainLayout =
  (path: string, content: string): RowTest =>
  async ({ page }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto(path);
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
  };

testRows(routeRows, {
  "routing-history": async ({ page }) => {
    await page.goto("/");
    await link(page, "Register").click();
    await expectAddress(page, "/register");
    await link(page, "Already have an account? Login").click();
    await expectAddress(page, "/login");
    await page.goBack();
    await expectShown(heading(page, "Register"));
    await expectAddress(page, "/register");
    await page.goForward();
    await expectShown(heading(page, "Login page"));
  },
  "routing-unknown-file": async ({ page }) => {
    for (const path of ["/foo.bar", "/manager/x.y", "/index.php?id=1", "/.env"]) {
      await page.goto(path);
      await expectShown(heading(page, "404 not found :("));
      await expectAddress(page, "/not-found");
      expect(await page.evaluate(async (missing) => (await fetch(missing)).status, path)).toBe(404);
    }
  },
  "routing-refresh": async ({ page, backend }) => {
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
    await page.goBack();
    await expectAddress(page, "/");
    await expect.poll(checks).toBe(3);
    // The same applies to a participant who is logged in, until the login session has ended.
    backend.state.loggedInAs = participant.asn;
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
  "route-login": inPlainLayout("/login", "Login page"),
  "route-register": inPlainLayout("/register", "Register"),
  "route-set-password": inPlainLayout("/setPassword", "Set password"),
  "route-forgot-password": inPlainLayout("/forgotPassword", "Password Reset"),
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
});

import type { Page } from "playwright";
import { expect } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, heading, link, seen, text } from "./seeing.ts";
import { routeRows } from "./table/routes.ts";

const title = "Example Transit";
const wrapperHeading = `${title} Peering Manager`;

/** The public navigation, which the plain layout and the manager do without. */
const mainNav = (page: Page) => page.getByRole("navigation", { name: "Main" });

const inMainLayout =
  (path: string, content: string): RowTest =>
  async ({ page }) => {
    await page.goto(path);
    await seen(heading(page, content), mainNav(page));
    await arrivedAt(page, path);
  };

const inPlainLayout =
  (path: string, content: string): RowTest =>
  async ({ page }) => {
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.goto(path);
    await seen(heading(page, content));
    await arrivedAt(page, path);
    expect(await page.getByRole("navigation").count()).toBe(0);
    const { left, right } = await page.getByRole("main").evaluate((main) => ({
      left: main.getBoundingClientRect().left,
      right: document.documentElement.clientWidth - main.getBoundingClientRect().right,
    }));
    expect(left).toBeGreaterThan(100);
    expect(Math.abs(left - right)).toBeLessThanOrEqual(1);
  };

const needsLogin =
  (path: string, login: string): RowTest =>
  async ({ page }) => {
    await page.goto(path);
    await seen(heading(page, "Login page"));
    await arrivedAt(page, login);
  };

const inWrapper =
  (path: string, content: string): RowTest =>
  async ({ page, backend }) => {
    backend.state.signedIn = participant.asn;
    await page.goto(path);
    await seen(heading(page, wrapperHeading), heading(page, content));
    expect(await mainNav(page).count()).toBe(0);
  };

const homeSays =
  (...sentences: readonly RegExp[]): RowTest =>
  async ({ page }) => {
    await page.goto("/");
    for (const sentence of sentences) await seen(page.getByText(sentence));
  };

testRows(routeRows, {
  "routing-history": async ({ page }) => {
    await page.goto("/");
    await link(page, "Register").click();
    await arrivedAt(page, "/register");
    await link(page, "Already have an account? Login").click();
    await arrivedAt(page, "/login");
    await page.goBack();
    await seen(heading(page, "Register"));
    await arrivedAt(page, "/register");
    await page.goForward();
    await seen(heading(page, "Login page"));
  },
  "routing-refresh": async ({ page, backend }) => {
    const asked = () => backend.received("authStatus").length;
    // A navigation that comes before the former one's answer waits for the same.
    const answered = async (go: () => Promise<unknown>) => {
      const answer = page.waitForResponse((response) => response.url().endsWith(calls.authStatus.path));
      await go();
      await (await answer).finished();
    };
    await answered(() => page.goto("/"));
    await seen(link(page, "Register"));
    await expect.poll(asked).toBe(1);
    await answered(() => link(page, "Register").click());
    await arrivedAt(page, "/register");
    await expect.poll(asked).toBe(2);
    await page.goBack();
    await arrivedAt(page, "/");
    await expect.poll(asked).toBe(3);
    // The same for somebody who is signed in, until it turns out that the session has ended.
    backend.state.signedIn = participant.asn;
    await page.goto("/manager");
    await seen(heading(page, "Dashboard"));
    const before = asked();
    await link(page, "Stats").click();
    await seen(heading(page, "Stats"));
    await expect.poll(asked).toBeGreaterThan(before);
    backend.state.signedIn = null;
    await link(page, "Contact").click();
    await arrivedAt(page, "/login?from=%2Fmanager%3Fview%3Dcontact");
  },
  "routing-protected": needsLogin("/manager?node=syd01", "/login?from=%2Fmanager%3Fnode%3Dsyd01"),
  "routing-unknown": async ({ page }) => {
    for (const path of ["/nowhere", "/a/b/c", "/manager/nowhere", "/Status/x"]) {
      await page.goto(path);
      await seen(heading(page, "404 not found :("));
      await arrivedAt(page, "/not-found");
    }
  },
  "route-home": inMainLayout("/", `Peer with ${title}`),
  "route-not-found": inMainLayout("/not-found", "404 not found :("),
  "route-login": inPlainLayout("/login", "Login page"),
  "route-register": inPlainLayout("/register", "Register"),
  "route-set-password": inPlainLayout("/setPassword", "Set password"),
  "route-forgot-password": inPlainLayout("/forgotPassword", "Password Reset"),
  "route-manager": needsLogin("/manager", "/login"),
  "route-manager-wrapper": inWrapper("/manager", "Dashboard"),
  "route-updatepeer": async (visit) => {
    for (const type of ["new", "edit?node=syd01", "delete?node=syd01"]) {
      const from = encodeURIComponent(`/manager/updatepeer/${type}`);
      await needsLogin(`/manager/updatepeer/${type}`, `/login?from=${from}`)(visit);
    }
  },
  "route-updatepeer-wrapper": inWrapper("/manager/updatepeer/new", "Select a node"),
  "layout-title": async ({ page }) => {
    await page.goto("/");
    const header = page.getByRole("banner");
    await seen(header.getByText(title, { exact: true }), header.getByText("BGP over WireGuard"));
  },
  "layout-nav-home": async ({ page }) => {
    await page.goto("/not-found");
    await mainNav(page).getByRole("link", { name: "Home", exact: true }).click();
    await arrivedAt(page, "/");
    await seen(heading(page, `Peer with ${title}`));
  },
  "layout-nav-active": async ({ page }) => {
    const all = mainNav(page).getByRole("link");
    /** Which of the four differ from a link that is not active. */
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
      await seen(mainNav(page).locator("[aria-current=page]").getByText(name, { exact: true }));
      // The pointer is on it, which changes its colour as well.
      await page.mouse.move(0, 700);
      await expect.poll(() => highlighted(idle)).toEqual([name]);
    }
  },
  "home-text": homeSays(/^Example Transit is part of/),
  "home-community": homeSays(
    /part of a community project where participants set up VPN tunnels to each other and peer via BGP/,
  ),
  "home-nodes": homeSays(/Our nodes are virtual machines in several regions of the world/),
  "home-families": homeSays(/Tunnels are WireGuard, and only WireGuard/, /IPv4 and IPv6 are both supported/),
  "home-daemon": homeSays(/BGP runs on an open-source routing daemon/),
  "home-services": homeSays(
    /a recursive DNS server, a BGP looking glass that is reachable only inside the network, and an uptime monitor/,
  ),
  "home-manager-button": async ({ page, backend }) => {
    backend.state.signedIn = participant.asn;
    await page.goto("/");
    await link(page, "Go to Peering Manager").click();
    await arrivedAt(page, "/manager");
    await seen(heading(page, wrapperHeading));
  },
  "not-found-text": async ({ page }) => {
    await page.goto("/not-found");
    await seen(text(page, "404 not found :("));
  },
  "roles-anonymous": async ({ page, backend }) => {
    backend.refuse("authStatus", 401, { message: "Sign in first." });
    const main = ["/", "/status", "/map", "/about", "/not-found"];
    for (const path of [...main, "/login", "/register", "/setPassword", "/forgotPassword"]) {
      await page.goto(path);
      await page.getByRole("main").getByRole("heading").first().waitFor();
      await arrivedAt(page, path);
    }
  },
  "roles-authenticated": async ({ page, backend }) => {
    addPeering(backend.state);
    backend.state.signedIn = participant.asn;
    for (const [path, content] of [
      ["/manager", "Dashboard"],
      ["/manager/updatepeer/new", "Select a node"],
      ["/manager/updatepeer/edit?node=syd01", "BGP details"],
      ["/manager/updatepeer/delete?node=syd01", "Delete the peering on syd01.dn42.example.net"],
    ] as const) {
      await page.goto(path);
      await seen(heading(page, content));
      await arrivedAt(page, path);
    }
  },
  "roles-others": async ({ page, backend }) => {
    backend.state.signedIn = participant.asn;
    for (const path of ["/admin", "/manager/admin"]) {
      await page.goto(path);
      await arrivedAt(page, "/not-found");
    }
  },
  "participants-can": async ({ page, backend }) => {
    addPeering(backend.state);
    backend.state.signedIn = participant.asn;
    await page.goto("/manager");
    await seen(link(page, "Create new peering"));
    await page.getByRole("link", { name: /^View/ }).click();
    for (const [tab, content] of [
      ["Status", heading(page, "BGP")],
      ["Detailed Info", page.getByText(/^interface: /)],
      ["Troubleshooting", heading(page, "Actions")],
      ["Edit Peering", link(page, "Change your details")],
    ] as const) {
      await page.getByRole("tab", { name: tab, exact: true }).click();
      await seen(content);
    }
    await seen(button(page, "Delete peering"));
    const menu = page.getByRole("navigation", { name: "Manager" });
    for (const [name, panel] of [
      ["Node Status", "Node CPU usage"],
      ["Stats", "Total routes"],
    ] as const) {
      await menu.getByRole("link", { name, exact: true }).click();
      await seen(heading(page, panel));
    }
    await menu.getByRole("link", { name: "Contact", exact: true }).click();
    await seen(button(page, "Submit"));
  },
});

import type { Page } from "playwright";
import { expect } from "vitest";
import type { PeerStatus } from "../../src/contract/entities.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { type RowTest, testRows } from "./rows.ts";
import { arrivedAt, button, heading, link, seen, text } from "./seeing.ts";
import { managerRows } from "./table/manager.ts";

const asn = `AS${participant.asn}`;
const menu = (page: Page) => page.getByRole("navigation", { name: "Manager" });
const peerings = (page: Page) => page.getByRole("region", { name: "Current peerings" });

async function openManager(page: Page): Promise<void> {
  await page.goto("/manager");
  await seen(heading(page, "Example Transit Peering Manager"), peerings(page));
}

async function logOut(page: Page): Promise<void> {
  await openManager(page);
  await button(page, "Logout").click();
}

/** The one peering of a list whose tunnel and BGP are so. */
function statusOf(bgp: PeerStatus["bgp_status"], tunnel: "Up" | "Down" = "Up"): PeerStatus {
  return {
    node: "syd01",
    bgp_status: bgp,
    wg_status: { state: tunnel, issues: [], tx: "1 B", rx: "2 B", handshake: "" },
    known: true,
    latency: "",
    sessions: [],
    bgp_issues: [],
    deployment: null,
  };
}

const showsBubble =
  (status: PeerStatus, className: string, word: string): RowTest =>
  async ({ page, backend }) => {
    backend.reply("getPeerStatus", [status]);
    await openManager(page);
    const bubble = peerings(page).locator(".good, .issues, .down");
    await seen(bubble);
    expect([await bubble.getAttribute("class"), await bubble.textContent()]).toEqual([
      expect.stringMatching(new RegExp(`(?:^| )${className}(?: |$)`)),
      word,
    ]);
  };

const showsAsn: RowTest = async ({ page }) => {
  await openManager(page);
  await seen(page.getByRole("banner").getByText("AS4242422227", { exact: true }));
};

testRows(
  managerRows,
  {
    "manager-heading": async ({ page }) => {
      await page.goto("/manager");
      await seen(
        page.getByRole("heading", { level: 1, name: "Example Transit Peering Manager", exact: true }),
      );
    },
    "manager-subtitle": async ({ page }) => {
      await openManager(page);
      await seen(text(page, "Manage your own connections to the Example Transit network."));
    },
    "manager-username": async ({ page }) => {
      await openManager(page);
      await seen(page.getByRole("banner").getByText(participant.asn));
    },
    "manager-asn": showsAsn,
    "manager-asn-constant": async (visit) => {
      await showsAsn(visit);
      await visit.page.goto("/manager/updatepeer/new");
      await seen(heading(visit.page, "Select a node"));
      await seen(visit.page.getByRole("banner").getByText("AS4242422227", { exact: true }));
    },
    "manager-toggle": async ({ page }) => {
      await openManager(page);
      const toggle = page.getByRole("banner").getByRole("button", { name: /^=/ });
      await seen(menu(page), toggle);
      await toggle.click();
      await menu(page).waitFor({ state: "hidden" });
      await toggle.click();
      await seen(menu(page));
    },
    "manager-menu-dashboard": async ({ page }) => {
      await page.goto("/manager/updatepeer/new");
      await menu(page).getByRole("link", { name: "Dashboard", exact: true }).click();
      await arrivedAt(page, "/manager");
      await seen(heading(page, "Dashboard"));
    },
    "manager-menu-as": async ({ page }) => {
      await openManager(page);
      await seen(
        menu(page).getByText(asn, { exact: true }),
        menu(page).getByRole("button", { name: "Logout", exact: true }),
      );
    },
    "logout-home": async ({ page }) => {
      await logOut(page);
      await arrivedAt(page, "/");
      await seen(heading(page, "Peer with Example Transit"));
    },
    "logout-session": async ({ page, backend }) => {
      await logOut(page);
      await arrivedAt(page, "/");
      expect(backend.state.signedIn).toBeNull();
      await link(page, "Go to Peering Manager").click();
      await arrivedAt(page, "/login");
    },
    "logout-failed": async ({ page, backend }) => {
      backend.state.failing.push("logout");
      await logOut(page);
      await arrivedAt(page, "/");
      await link(page, "Go to Peering Manager").click();
      await arrivedAt(page, "/login");
    },
    "logout-failed-logged": async ({ page, backend }) => {
      backend.cutOff("logout");
      await logOut(page);
      await arrivedAt(page, "/");
      const before = backend.received("logout").length;
      await link(page, "Go to Peering Manager").click();
      await arrivedAt(page, "/login");
      expect(backend.received("logout").length).toBeGreaterThan(before);
    },
    "auth-check-failed": async ({ page, backend }) => {
      await openManager(page);
      backend.refuse("authStatus", 500, { message: "The server made a mistake." });
      await link(page, "Create new peering").click();
      await seen(heading(page, "Login page"));
    },
    "auth-check-no-answer": async ({ page, backend }) => {
      await openManager(page);
      backend.cutOff("authStatus");
      await link(page, "Create new peering").click();
      await seen(heading(page, "Select a node"));
      await page.goto("/manager");
      await seen(heading(page, "Login page"));
    },
    "dashboard-create": async ({ page }) => {
      await openManager(page);
      await link(page, "Create new peering").click();
      await arrivedAt(page, "/manager/updatepeer/new");
    },
    "dashboard-list": async ({ page, backend }) => {
      addPeering(backend.state);
      addPeering(backend.state, { node: "de01" });
      await openManager(page);
      await peerings(page).getByRole("listitem").first().waitFor();
      expect(await peerings(page).getByRole("listitem").count()).toBe(2);
    },
    "dashboard-loader": async ({ page, backend }) => {
      backend.state.hanging.push("getPeerStatus");
      await openManager(page);
      await seen(peerings(page).getByRole("status"));
      expect(await peerings(page).getByRole("status").textContent()).toBe("Loading peerings…");
    },
    "dashboard-empty": async ({ page }) => {
      await openManager(page);
      await seen(
        text(
          page,
          "You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get started!",
        ),
      );
    },
    "dashboard-row": async ({ page, backend }) => {
      addPeering(backend.state);
      await openManager(page);
      await peerings(page).getByRole("listitem").waitFor();
      const [words = ""] = await peerings(page).getByRole("listitem").allInnerTexts();
      expect(words).toMatch(/^node: syd01\.dn42\.example\.net\s/);
    },
    "dashboard-bubble": showsBubble(statusOf("OK"), "good", "OK"),
    "dashboard-view-button": async ({ page, backend }) => {
      addPeering(backend.state);
      await openManager(page);
      const view = peerings(page).getByRole("link", { name: /^View/ });
      await seen(view);
      expect(await view.innerText()).toMatch(/^View/);
    },
    "dashboard-view": async ({ page, backend }) => {
      addPeering(backend.state);
      await openManager(page);
      await peerings(page).getByRole("link", { name: /^View/ }).click();
      await seen(heading(page, "syd01.dn42.example.net"));
      const back = page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true });
      await seen(back, back.locator("svg"));
    },
    "dashboard-back": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager?node=syd01");
      await page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true }).click();
      await arrivedAt(page, "/manager");
      await seen(peerings(page));
    },
    "bubble-good": showsBubble(statusOf("OK"), "good", "OK"),
    "bubble-issues": showsBubble(statusOf("Issues"), "issues", "Issues"),
    "bubble-down": showsBubble(statusOf("Down"), "down", "Down"),
    "bubble-not-found": showsBubble(statusOf("Not found"), "down", "Down"),
    "bubble-word": async (visit) => {
      await showsBubble(statusOf("OK", "Down"), "down", "Down")(visit);
      const { wg_status, ...rest } = statusOf("OK");
      await showsBubble({ ...rest, wg_status: { ...wg_status, issues: ["x"] } }, "issues", "Issues")(visit);
    },
    "roles-own": async ({ page, backend }) => {
      addPeering(backend.state);
      backend.state.peerings = backend.state.peerings.map((each) => ({ ...each, asn: "4242420002" }));
      await openManager(page);
      await seen(page.getByText("You don't appear to have any peerings yet.", { exact: false }));
      await page.goto("/manager?node=syd01");
      await seen(text(page, "You have no peering on this node."));
    },
    "fetch-failed-list": async ({ page, backend }) => {
      backend.state.failing.push("getPeerStatus");
      await openManager(page);
      await seen(peerings(page).getByText(/^The state of your peerings could not be loaded\./));
      backend.state.failing.length = 0;
      await button(page, "Retry").click();
      await seen(page.getByText(/^You don't appear to have any peerings yet\./));
    },
    "selected-node": async ({ page, backend }) => {
      addPeering(backend.state);
      await openManager(page);
      await peerings(page).getByRole("link", { name: /^View/ }).click();
      await arrivedAt(page, "/manager?node=syd01");
      await page.reload();
      await seen(heading(page, "syd01.dn42.example.net"));
    },
    "domain-suffix": async ({ page, backend }) => {
      addPeering(backend.state);
      const suffixed = "syd01.dn42.example.net";
      await openManager(page);
      await seen(page.getByText(`node: ${suffixed}`));
      await page.goto("/manager?node=syd01");
      await seen(heading(page, suffixed));
      await page.goto("/manager/updatepeer/new");
      await seen(page.getByRole("button", { name: suffixed }));
    },
  },
  { signedIn: true },
);

import { expect } from "vitest";
import type { PeerStatus } from "../../../src/contract/entities.ts";
import { addPeering } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { type RowTest, testRows } from "./rows.ts";
import { managerRows } from "../table/manager.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import {
  banner,
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectCount,
  expectShown,
  heading,
  link,
  main,
  navigation,
  readAttribute,
  readTexts,
  region,
  text,
} from "./screen.ts";

const asn = `AS${participant.asn}`;
const menu = navigation("Manager");
const peerings = region("Current peerings");
const entries = byRole("listitem", undefined, peerings);
const view = link(/^View/, peerings);

async function openManager(app: AppTab): Promise<void> {
  app.open("/manager");
  await expectShown(heading("Example Transit Peering Manager"), peerings);
}

async function logOut(app: AppTab): Promise<void> {
  await openManager(app);
  await click(button("Logout"));
}

/** The status of one peering with this state of BGP and tunnel. */
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
  async ({ app, backend }) => {
    backend.reply("getPeerStatus", [status]);
    await openManager(app);
    const bubble = bySelector(".good, .issues, .down", peerings);
    await expectShown(bubble);
    expect([await readAttribute(bubble, "class"), ...readTexts(bubble)]).toEqual([
      expect.stringMatching(new RegExp(`(?:^| )${className}(?: |$)`)),
      word,
    ]);
  };

const showsAsn: RowTest = async ({ app }) => {
  await openManager(app);
  await expectShown(text("AS4242422227", banner));
};

testRows(
  managerRows,
  {
    "manager-heading": async ({ app }) => {
      app.open("/manager");
      const title = heading("Example Transit Peering Manager");
      await expectShown(title);
      expect(title()[0]?.tagName).toBe("H1");
    },
    "manager-subtitle": async ({ app }) => {
      await openManager(app);
      await expectShown(text("Manage your own connections to the Example Transit network."));
    },
    "manager-username": async ({ app }) => {
      await openManager(app);
      await expectShown(text(/AS4242420001/, banner));
    },
    "manager-asn": showsAsn,
    "manager-asn-constant": async (visit) => {
      await showsAsn(visit);
      visit.app.open("/manager/updatepeer/new");
      await expectShown(heading("Select a node"));
      await expectShown(text("AS4242422227", banner));
    },
    "manager-toggle": async ({ app }) => {
      await openManager(app);
      const toggle = button(/^=/, banner);
      await expectShown(menu, toggle);
      expect(await readAttribute(toggle, "aria-expanded")).toBe("true");
      await click(toggle);
      await expectCount(menu, 0);
      expect(await readAttribute(toggle, "aria-expanded")).toBe("false");
      await click(toggle);
      await expectShown(menu);
    },
    "manager-menu-dashboard": async ({ app }) => {
      app.open("/manager/updatepeer/new");
      await click(link("Dashboard", menu));
      await expectAddress(app, "/manager");
      await expectShown(heading("Dashboard"));
    },
    "manager-menu-as": async ({ app }) => {
      await openManager(app);
      await expectShown(text(asn, menu), button("Logout", menu));
    },
    "logout-home": async ({ app }) => {
      await logOut(app);
      await expectAddress(app, "/");
      await expectShown(heading("Peer with Example Transit"));
    },
    "logout-session": async ({ app, backend }) => {
      await logOut(app);
      await expectAddress(app, "/");
      expect(backend.state.loggedInAs).toBeNull();
      await click(link("Go to Peering Manager"));
      await expectAddress(app, "/login");
    },
    "logout-failed": async ({ app, backend }) => {
      backend.state.failing.push("logout");
      await logOut(app);
      await expectAddress(app, "/");
      await click(link("Go to Peering Manager"));
      await expectAddress(app, "/login");
    },
    "logout-failed-logged": async ({ app, backend }) => {
      backend.cutOff("logout");
      await logOut(app);
      await expectAddress(app, "/");
      const before = backend.received("logout").length;
      await click(link("Go to Peering Manager"));
      await expectAddress(app, "/login");
      expect(backend.received("logout").length).toBeGreaterThan(before);
    },
    "auth-check-failed": async ({ app, backend }) => {
      await openManager(app);
      backend.refuse("authStatus", 500, { message: "The server made a mistake." });
      await click(link("Create new peering"));
      await expectShown(heading("Login page"));
    },
    "auth-check-no-answer": async ({ app, backend }) => {
      await openManager(app);
      backend.cutOff("authStatus");
      await click(link("Create new peering"));
      await expectShown(heading("Select a node"));
      app.open("/manager");
      await expectShown(heading("Login page"));
    },
    "dashboard-create": async ({ app }) => {
      await openManager(app);
      await click(link("Create new peering"));
      await expectAddress(app, "/manager/updatepeer/new");
    },
    "dashboard-list": async ({ app, backend }) => {
      addPeering(backend.state);
      addPeering(backend.state, { node: "de01" });
      await openManager(app);
      await expectCount(entries, 2);
    },
    "dashboard-loader": async ({ app, backend }) => {
      backend.state.hanging.push("getPeerStatus");
      await openManager(app);
      const loader = byRole("status", undefined, peerings);
      await expectShown(loader);
      expect(readTexts(loader)).toEqual(["Loading peerings…"]);
    },
    "dashboard-empty": async ({ app }) => {
      await openManager(app);
      await expectShown(
        text(
          "You don't appear to have any peerings yet. Try out the 'Create new peering' button above to get started!",
        ),
      );
    },
    "dashboard-bubble": showsBubble(statusOf("OK"), "good", "OK"),
    "dashboard-view-button": async ({ app, backend }) => {
      addPeering(backend.state);
      await openManager(app);
      await expectShown(view);
      expect(readTexts(view)).toEqual([expect.stringMatching(/^View/)]);
    },
    "dashboard-view": async ({ app, backend }) => {
      addPeering(backend.state);
      await openManager(app);
      await click(view);
      await expectShown(heading("syd01.dn42.example.net"));
      const back = link("Dashboard", main);
      await expectShown(back, bySelector("svg", back));
    },
    "dashboard-back": async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager?node=syd01");
      await click(link("Dashboard", main));
      await expectAddress(app, "/manager");
      await expectShown(peerings);
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
    "roles-own": async ({ app, backend }) => {
      addPeering(backend.state);
      backend.state.peerings = backend.state.peerings.map((each) => ({ ...each, asn: "4242420002" }));
      await openManager(app);
      await expectShown(text(/You don't appear to have any peerings yet\./));
      app.open("/manager?node=syd01");
      await expectShown(text("You have no peering on this node."));
    },
    "fetch-failed-list": async ({ app, backend }) => {
      backend.state.failing.push("getPeerStatus");
      await openManager(app);
      await expectShown(
        text("The status of your peerings could not be loaded. The mock fails on demand.", peerings),
      );
      backend.state.failing.length = 0;
      await click(button("Retry"));
      await expectShown(text(/^You don't appear to have any peerings yet\./));
    },
    "selected-node": async ({ app, backend }) => {
      addPeering(backend.state);
      await openManager(app);
      await click(view);
      await expectAddress(app, "/manager?node=syd01");
      app.reload();
      await expectShown(heading("syd01.dn42.example.net"));
    },
    "domain-suffix": async ({ app, backend }) => {
      addPeering(backend.state);
      const suffixed = "syd01.dn42.example.net";
      await openManager(app);
      await expectShown(text(/^node: syd01\.dn42\.example\.net/));
      app.open("/manager?node=syd01");
      await expectShown(heading(suffixed));
      app.open("/manager/updatepeer/new");
      await expectShown(button(/^syd01\.dn42\.example\.net/));
    },
  },
  { isLoggedIn: true },
);

import { expect, vi } from "vitest";
import type { PeerStatus } from "#contract/entities.ts";
import { type SpecifiedStatus, status } from "../scenarios/overview.ts";
import { addPeering } from "#mocks/samples.ts";
import { provider } from "#mocks/provider.ts";
import { participant } from "#mocks/state.ts";
import { testRows } from "./rows.ts";
import { waitFor } from "../../support/wait-for.ts";
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
  find,
  findAll,
  first,
  heading,
  link,
  main,
  navigation,
  type Query,
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

/** The status of one peering with this state of BGP and tunnel, and without sessions. */
function statusOf(bgp_status: PeerStatus["bgp_status"], state: "Up" | "Down" = "Up"): SpecifiedStatus {
  return { ...status, bgp_status, wg_status: { ...status.wg_status, state }, latency: "", sessions: [] };
}

/** Texts and accessible names with a node that lacks the domain. A router's own output is not ours to change. */
function bareNodeNames(): string[] {
  const bare = /\b(?:syd|de|ny|per|sin|za)01\b(?!\.dn42\.example\.net)/;
  return Array.from(document.body.querySelectorAll("*")).flatMap((element) => {
    if (element.closest("pre, script, style")) return [];
    const own = Array.from(element.childNodes).filter((node) => node instanceof Text);
    // Two elements may share a name and its domain.
    const texts = own.some(({ data }) => bare.test(data)) ? [element.parentElement?.textContent ?? ""] : [];
    const names = ["aria-label", "title", "alt"].map((name) => element.getAttribute(name) ?? "");
    return [...texts, ...names].filter((words) => bare.test(words));
  });
}

testRows(managerRows, {
  "manager-heading": async ({ app }) => {
    await openManager(app);
    expect((await find(heading("Example Transit Peering Manager"))).tagName).toBe("H1");
    await expectShown(
      text("Manage your own connections to the Example Transit network."),
      text(/AS4242420001/, banner),
      text("AS4242422227", banner),
      text(asn, menu),
      button("Logout", menu),
    );
    app.open("/manager/updatepeer/new");
    await expectShown(heading("Select a node"), text("AS4242422227", banner));
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
  "logout-home": async ({ app, backend }) => {
    await logOut(app);
    await expectAddress(app, "/");
    await expectShown(heading("Peer with Example Transit"));
    expect(backend.state.loggedInAs).toBeNull();
    await click(link("Go to Peering Manager"));
    await expectAddress(app, "/login");
  },
  "logout-failed": async ({ app, backend, loggedFailures }) => {
    backend.state.failing.push("logout");
    await logOut(app);
    await expectShown(text(/^The server could not log you out/, byRole("alert")));
    expect(loggedFailures).toEqual([
      "Call failed: /api/logout/ responded with 500: The mock fails on demand.",
    ]);
    await expectAddress(app, "/manager");
    await click(link("Contact", menu));
    await expectShown(heading("Contact"));
    expect(byRole("alert")()).toEqual([]);
    app.open("/manager");
    await expectShown(peerings);

    backend.refuse("logout", 401, { message: "Not logged in." });
    await click(button("Logout"));
    await expectAddress(app, "/");
  },
  "logout-no-response": async ({ app, backend }) => {
    await openManager(app);
    const timeout = new AbortController();
    const timeouts = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === 5_000 ? timeout.signal : new AbortController().signal));
    backend.state.hanging.push("logout");
    await click(button("Logout"));
    await waitFor(() => expect(backend.sent("logout")).toHaveLength(1));
    await expectAddress(app, "/manager");
    timeouts.mockRestore();
    timeout.abort(new DOMException("The time is up.", "TimeoutError"));
    await expectAddress(app, "/");
    backend.state.hanging.length = 0;
    backend.replyText("logout", "<!doctype html><title>Welcome to our hotel</title>");
    const before = backend.sent("logout").length;
    await click(link("Go to Peering Manager"));
    await expectAddress(app, "/login");
    expect(backend.sent("logout").length).toBeGreaterThan(before);
    expect(backend.state.loggedInAs).not.toBeNull();
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
  "dashboard-deploying": async ({ app, backend }) => {
    const deployment = { taskID: "t-1", kind: "deploy" } as const;
    backend.reply("getPeerStatus", [
      { ...statusOf("Issues"), latency: "12.4 ms", deployment },
      { ...statusOf("OK"), node: "de01", deployment: { taskID: "t-2", kind: "delete" } },
      // The node does not run a new peering yet.
      { ...statusOf("Not found", "Down"), node: "ny01", deployment },
    ]);
    await openManager(app);
    await findAll(entries);
    const shown = ".good, .issues, .down, a[href*=task]";
    const rows = entries().map((entry) =>
      Array.from(entry.querySelectorAll(shown), ({ textContent }) => textContent),
    );
    expect(rows).toEqual([
      ["Issues", "Deploying… syd01.dn42.example.net"],
      ["OK", "Deleting… de01.dn42.example.net"],
      ["Unknown", "Deploying… ny01.dn42.example.net"],
    ]);
    await expectShown(text("12.4 ms", peerings));
    expect(await readAttribute(link("Deploying… syd01.dn42.example.net"), "href")).toBe(
      "/manager/updatepeer/edit?node=syd01&step=awaitingDeployment&task=t-1",
    );
  },
  "dashboard-view": async ({ app, backend }) => {
    addPeering(backend.state);
    addPeering(backend.state, { node: "de01" });
    await openManager(app);
    await expectCount(entries, 2);
    expect(readTexts(entries)).toEqual(
      ["syd01", "de01"].map((node) =>
        expect.stringMatching(new RegExp(`^node: ${node}\\.dn42\\.example\\.net.*View`)),
      ),
    );
    await click(first(view));
    await expectShown(heading("syd01.dn42.example.net"));
    await expectAddress(app, "/manager?node=syd01");
    app.reload();
    const back = link("Dashboard", main);
    await expectShown(heading("syd01.dn42.example.net"), bySelector("svg", back));
    await click(back);
    await expectAddress(app, "/manager");
    await click(link("Create new peering"));
    await expectAddress(app, "/manager/updatepeer/new");
  },
  "bubble-classes": async ({ app, backend }) => {
    const ok = statusOf("OK");
    // In the order of the list, worst first.
    const shown = [
      [statusOf("Down"), "down", "Down"],
      [statusOf("Not found"), "down", "Down"],
      [statusOf("OK", "Down"), "down", "Down"],
      [statusOf("Issues"), "issues", "Issues"],
      [{ ...ok, wg_status: { ...ok.wg_status, issues: ["x"] } }, "issues", "Issues"],
      [ok, "good", "OK"],
    ] as const;
    backend.reply(
      "getPeerStatus",
      shown.map(([peering], index) => ({ ...peering, node: provider.nodes[index]?.name })),
    );
    await openManager(app);
    await expectCount(entries, shown.length);
    const bubbles = bySelector(".good, .issues, .down", entries)();
    expect(bubbles.map(({ classList, textContent }) => [classList[0], textContent])).toEqual(
      shown.map(([, className, word]) => [className, word]),
    );
  },
  "roles-own": async ({ app, backend }) => {
    addPeering(backend.state);
    backend.state.peerings = backend.state.peerings.map((each) => ({ ...each, asn: "4242420002" }));
    await openManager(app);
    await expectShown(text(/You don't appear to have any peerings yet\./));
    app.open("/manager?node=syd01");
    await expectShown(text("You have no peering on this node."));
  },
  "fetch-failed": async ({ app, backend, loggedFailures }) => {
    addPeering(backend.state);
    for (const [call, address, message] of [
      ["getPeerStatus", "/manager", /^The status of your peerings could not be loaded\./],
      ["getNodeStatus", "/manager?node=syd01", /^The node's status could not be loaded\./],
      ["getPeerConfig", "/manager?node=syd01&tab=edit", /^The configuration could not be loaded\./],
      ["getPeerConfig", "/manager/updatepeer/edit?node=syd01", /Not today\./],
      ["getNodesList", "/manager/updatepeer/new", /^The nodes could not be loaded\./],
      ["getPeeredNodes", "/manager?view=nodes", /Not today\./],
      ["getNodeHistories", "/status", /^The node status could not be loaded\./],
    ] as const) {
      backend.refuse(call, 403, { message: "Not today." });
      const before = backend.sent(call).length;
      app.open(address);
      await expectShown(text(message));
      // The same request would be rejected again.
      expect([address, backend.sent(call).length - before]).toEqual([address, 1]);
      expect(loggedFailures.at(-1)).toBe(`Call failed: /api/${call} responded with 403: Not today.`);
      backend.restore(call);
      await click(button("Retry"));
      await expectCount(text(message), 0);
    }
  },
  "domain-suffix": async ({ app, backend }) => {
    addPeering(backend.state);
    const bare: string[] = [];
    const look = async (address: string, ...shown: readonly Query[]) => {
      app.open(address);
      await expectShown(...shown);
      bare.push(...bareNodeNames().map((words) => `${address}: ${words}`));
    };
    await look("/manager", text(/^node: syd01\.dn42\.example\.net/));
    await look("/manager?node=syd01", text("48 days, 17:22"), region("BGP"));
    await look("/manager?node=syd01&tab=details", text(/^Output from syd01\.dn42\.example\.net, /));
    await look("/manager?node=syd01&tab=troubleshooting", button("Restart BGP"));
    await look("/manager?node=syd01&tab=edit", region("Your side"));
    await click(button("Delete peering"));
    await expectShown(byRole("alertdialog"));
    bare.push(...bareNodeNames());
    await look("/manager?node=de01", text("You have no peering on this node."));
    await look("/manager/updatepeer/new", button(/^syd01\.dn42\.example\.net/));
    await look("/manager/updatepeer/edit?node=syd01", text(/syd01\.dn42\.example\.net/));
    await look("/manager/updatepeer/delete?node=syd01", heading(/syd01\.dn42\.example\.net/));
    expect(bare).toEqual([]);
  },
});

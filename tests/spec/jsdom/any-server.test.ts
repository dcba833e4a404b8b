import { expect } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { replyWithTask } from "../scenarios/deployment.ts";
import {
  bareNodeConfig,
  barePeerConfig,
  bareStatus,
  removeCalls,
  replyBarely,
} from "../scenarios/bare-responses.ts";
import { editTab } from "../scenarios/overview.ts";
import { received, troubleshootingTab } from "../scenarios/troubleshooting.ts";
import { anyServerRows } from "../table/any-server.ts";
import { waitFor } from "../../support/wait-for.ts";
import { openStatus } from "./overview.ts";
import { type RowVisit, testRows } from "./rows.ts";
import {
  banner,
  button,
  byRole,
  bySelector,
  click,
  expectAddress,
  expectCount,
  expectShown,
  first,
  heading,
  last,
  main,
  type Query,
  readFacts,
  readTexts,
  region,
  submit,
  tab,
  text,
} from "./screen.ts";
import { chosen, openConfirm } from "./wizard.ts";

const missing = "[not provided]";

async function openBareStatus(
  { app, backend }: RowVisit,
  status: Readonly<Record<string, unknown>> = bareStatus,
): Promise<void> {
  replyBarely(backend);
  await openStatus(app, backend, status);
}

/** Waits until a card shows these facts. */
async function expectFacts(card: Query, facts: Readonly<Record<string, unknown>>): Promise<void> {
  await waitFor(async () => expect(await readFacts(card)).toMatchObject(facts));
}

/** Waits until the class of the bubble in the list of peerings is this. */
async function expectBubble({ app }: RowVisit, className: string): Promise<void> {
  app.open("/manager");
  await expectShown(bySelector(`.${className}`, region("Current peerings")));
}

/** Expects that nothing on the screen says that something failed. */
function expectNoFailure(): void {
  expect(readTexts(byRole("alert"))).toEqual([]);
  expect(button("Retry")()).toEqual([]);
  expect(text(/could not be|did not work|No reason was given/)()).toEqual([]);
}

testRows(anyServerRows, {
  "bare-peer-status": async (visit) => {
    await openBareStatus(visit);
    await expectFacts(region("Wireguard"), {
      "Tunnel status": "Up ✅",
      Latency: expect.stringContaining("12.4 ms"),
    });
    await expectShown(text("1.21 MiB received, 5.50 GiB transmitted", region("Wireguard")));
    await expectFacts(region("BGP"), {
      Status: "OK",
      "Session state": expect.stringContaining("Established ✅"),
    });
    expectNoFailure();
    await openBareStatus(visit, { ...bareStatus, bgp_status: "Down" });
    await expectFacts(region("BGP"), {
      Status: "Down",
      "Session state": expect.stringContaining("Down ❌"),
    });
    expect(text(/No session data/)()).toEqual([]);
    await expectBubble(visit, "down");
  },
  "bare-peer-status-least": async (visit) => {
    await openBareStatus(visit, {
      node: "syd01",
      bgp_status: "OK",
      wg_status: { state: "Up" },
      latency: null,
    });
    await expectFacts(region("Wireguard"), { "Tunnel status": "Up ✅" });
    expect(text(/undefined|null|NaN/)()).toEqual([]);
    expectNoFailure();
    await expectBubble(visit, "good");
    expect(text(/undefined|null|NaN/)()).toEqual([]);
  },
  "word-bgp": async (visit) => {
    await openBareStatus(visit, { ...bareStatus, bgp_status: "Dampened" });
    await expectFacts(region("BGP"), {
      Status: "Dampened",
      "Session state": expect.stringContaining("Down ❌"),
    });
    await expectBubble(visit, "down");
  },
  "word-tunnel": async (visit) => {
    await openBareStatus(visit, {
      ...bareStatus,
      wg_status: { ...bareStatus.wg_status, state: "Handshaking" },
    });
    await expectFacts(region("Wireguard"), { "Tunnel status": expect.stringContaining("Down ❌") });
  },
  "word-node": async (visit) => {
    replyBarely(visit.backend);
    visit.backend.reply("getNodeStatus", {
      results: { status: "Draining", uptime: 90_000, load: 0.12, issues: ["Maintenance tonight."] },
    });
    visit.app.open("/manager?node=syd01");
    await expectFacts(region("Node"), { Status: "Draining" });
    await expectShown(text("Maintenance tonight.", region("Node")));
  },
  "bare-node-status": async (visit) => {
    replyBarely(visit.backend);
    visit.backend.reply("getNodeStatus", { results: { status: "OK" } });
    visit.app.open("/manager?node=syd01");
    await expectFacts(region("Node"), { Status: "OK" });
    expectNoFailure();
  },
  "bare-peer-config": async ({ app, backend }) => {
    replyBarely(backend);
    app.open(editTab);
    await expectShown(region("Your side"));
    await expectFacts(first(bySelector("dl", region(/'s side$/))), {
      "IP/port": "192.0.2.11:20007",
      ASN: "4242422227",
    });
    await expectFacts(first(bySelector("dl", region("Your side"))), {
      "IP/port": "router.example.org:51820",
      IPv4: "172.20.201.1",
      IPv6: missing,
    });
    await expectFacts(last(bySelector("dl", region("Your side"))), {
      ASN: "4242420001",
      IPv4: "Yes",
      IPv6: "Yes",
      "MP-BGP": expect.stringMatching(/^No$|^\[not provided\]$/),
      "Extended Nexthop": "No",
    });
  },
  "bare-peer-config-family": async ({ app, backend }) => {
    for (const [bgp_ipv4, bgp_ipv6, family] of [
      [true, false, "IPv4"],
      ["No", "Yes", "IPv6"],
      ["on", 1, "Both"],
      [true, null, "IPv4"],
    ] as const) {
      backend.reply("getPeerConfig", { syd01: { ...barePeerConfig, bgp_ipv4, bgp_ipv6 } });
      app.open("/manager/updatepeer/edit?node=syd01");
      await expectShown(heading("BGP details"));
      await waitFor(() => expect(chosen(/Address family/).map(({ value }) => value)).toEqual([family]));
      app.close();
      localStorage.clear();
      sessionStorage.clear();
    }
  },
  "bare-node-config": async ({ app, backend }) => {
    replyBarely(backend);
    app.open(editTab);
    await expectShown(region("Your side"));
    await expectFacts(first(bySelector("dl", region(/'s side$/))), {
      IPv4: missing,
      IPv6: missing,
      "Public key": bareNodeConfig.public_key,
    });
  },
  "bare-success": async ({ app, backend }) => {
    const address = replyWithTask(backend, "success", "new");
    backend.reply("getTaskStatus", { status: "success", kind: "update", node: null });
    backend.reply("getPeerConfig", { syd01: { ...barePeerConfig, local_asn: null } });
    backend.reply("getNodeConfig", {});
    app.open(address);
    const config = region("Here is the config for your side:");
    await expectShown(config);
    expect(Object.values(await readFacts(config))).toEqual(Array(5).fill(missing));
    await expectShown(text(/Endpoint = <the node's address and port>/));
  },
  "bare-details": async ({ app, backend }) => {
    replyBarely(backend);
    backend.reply("getPeerDetails", { syd01: { wg_details: { output: null }, bgp_details: {} } });
    app.open("/manager?node=syd01");
    await click(tab("Detailed Info"));
    await expectShown(heading("Wireguard"), heading("BGP"));
    expectNoFailure();
  },
  "bare-auth-status": async ({ app, backend }) => {
    backend.reply("authStatus", { isAuthenticated: true, username: Number(participant.asn) });
    app.open("/manager");
    await expectShown(text(`AS${participant.asn}`, banner));
    await waitFor(() => expect(backend.sent("getPeerStatus").length).toBeGreaterThan(0));
    expect(backend.sent("getPeerStatus")[0]).toEqual({ username: participant.asn });
    backend.reply("authStatus", { isAuthenticated: false });
    app.open("/manager");
    await expectAddress(app, "/login");
  },
  "auth-status-failure": async ({ app, backend }) => {
    for (const [status, body] of [
      [401, ""],
      [404, "<h1>Not Found</h1>"],
      [500, "null"],
    ] as const) {
      backend.replyText("authStatus", body, status);
      app.open("/manager");
      await expectAddress(app, "/login");
      expectNoFailure();
    }
  },
  "no-profile": async ({ app, backend }) => {
    removeCalls(backend, "provider");
    app.open("/manager");
    await expectShown(text("AS4242422227", banner), heading(/Peering Manager$/));
    expectNoFailure();
    app.open("/map");
    await expectShown(heading("Map"));
    for (const node of ["syd01", "per01", "sin01", "de01", "ny01", "za01"])
      await waitFor(() => expect(button(new RegExp(`^${node}`), main)().length).toBeGreaterThan(0));
  },
  "no-node-history": async ({ app, backend }) => {
    removeCalls(backend, "getNodeHistories");
    app.open("/status");
    await expectShown(heading("Status"));
    await waitFor(() => expect(bySelector("[aria-busy=true]")()).toEqual([]));
    expectNoFailure();
  },
  "no-refused-routes": async ({ app, backend }) => {
    addPeering(backend.state);
    removeCalls(backend, "getRefusedRoutes");
    backend.reply("getPeerReceivedRoutes", { output: "some routes" });
    app.open(troubleshootingTab);
    await click(button(received.button));
    const modal = byRole("dialog", received.title);
    await expectShown(text(/some routes/, modal), button("Copy to clipboard", modal));
    await expectCount(byRole("tab", /Refused/), 0);
    expectNoFailure();
  },
  "no-task-list": async ({ app, backend }) => {
    removeCalls(backend, "getTasks");
    backend.reply("updatePeerConfig", { status: "waiting", taskID: "t-1", quip: "Please hold." });
    backend.reply("getTaskStatus", { status: "waiting", quip: "Please hold." });
    await openConfirm(app);
    await submit();
    await expectShown(text("t-1"), text("Please hold."));
    await waitFor(() => expect(backend.sent("getTaskStatus").length).toBeGreaterThan(0));
    expect(backend.sent("getTaskStatus")[0]).toEqual({
      username: participant.asn,
      taskID: "t-1",
    });
    expectNoFailure();
  },
});

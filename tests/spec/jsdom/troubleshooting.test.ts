import userEvent from "@testing-library/user-event";
import { expect, vi } from "vitest";
import type { BgpCheck } from "#contract/diagnostics.ts";
import { restartRestMs } from "#contract/diagnostics.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type RowVisit, testRows } from "./rows.ts";
import {
  advertised,
  check,
  ping4,
  ping6,
  queries,
  received,
  restart,
  type RouterQuery,
  troubleshootingTab,
} from "../scenarios/troubleshooting.ts";
import { troubleshootingRows } from "../table/troubleshooting.ts";
import {
  button,
  byRole,
  bySelector,
  click,
  expectCount,
  expectShown,
  find,
  findAll,
  heading,
  type Query,
  readFacts,
  readTexts,
  region,
  text,
} from "./screen.ts";

const target = { username: participant.asn, node: "syd01" };
const checkFailed = "Failed to retrieve BGP config. The node may be unavailable. Please try again later.";

async function openTab({ app, backend }: RowVisit): Promise<void> {
  // A family without a tunnel address cannot be pinged.
  addPeering(backend.state, { bgp_extnh: "No", peer_ipv4: "172.20.201.1" });
  app.open(troubleshootingTab);
  await expectShown(button(check.button));
}

/** Clicks a button of the tab, and returns the modal that it opens. */
async function press(query: RouterQuery): Promise<Query> {
  await click(button(query.button));
  const modal = byRole("dialog", query.title);
  await expectShown(modal);
  return modal;
}

async function open(visit: RowVisit, query: RouterQuery): Promise<Query> {
  await openTab(visit);
  return press(query);
}

async function close(modal: Query): Promise<void> {
  await click(button("Close", modal));
  await expectCount(modal, 0);
}

/** Presses the button of a query that fails, and compares what the modal shows between its title and its button. */
async function expectFailure(query: RouterQuery, shown: string): Promise<void> {
  const modal = await press(query);
  await expectShown(button("Close", modal));
  const { textContent } = await find(modal);
  // The announcement for screen readers that the modal waits no longer, and the button after a call that failed.
  const seen = textContent.replace("The node has responded.", "").replace(/Retry$/, "");
  expect(seen).toBe(`${query.title}${shown}Close`);
  await close(modal);
}

const checked: BgpCheck = {
  address_families: "OK",
  bgp_extnh: "OK",
  received_routes: { ipv4: 11, ipv6: 12 },
  filtered_routes: { ipv4: 21, ipv6: 22 },
  rejected_routes: { ipv4: 31, ipv6: 32 },
};

testRows(troubleshootingRows, {
  "troubleshooting-parts": async (visit) => {
    await openTab(visit);
    const parts = {
      "BGP config verification": [check],
      "Routing verification": [received, advertised],
      Actions: [restart, ping4, ping6],
    };
    for (const [title, all] of Object.entries(parts)) {
      const part = region(title);
      await expectShown(part, heading(title));
      expect(readTexts(byRole("button", undefined, part))).toEqual(all.map((query) => query.button));
    }
  },
  "bgp-check-verdicts": async (visit) => {
    await openTab(visit);
    const none = { ipv4: 0, ipv6: 0 };
    const oneFamily = "Your router does not announce IPv6.";
    const noExtnh = "Your router offers no extended next hop.";
    for (const [address_families, bgp_extnh, shown] of [
      ["OK", "OK", ["OK", "OK"]],
      [oneFamily, "OK", [`Issues${oneFamily}`, "OK"]],
      ["OK", noExtnh, ["OK", `Issues${noExtnh}`]],
      ["Mismatch", "Not found", ["Mismatch", "Not found"]],
    ] as const) {
      visit.backend.reply("troubleshootBGP", {
        ...checked,
        address_families,
        bgp_extnh,
        filtered_routes: none,
        rejected_routes: none,
      });
      const modal = await press(check);
      expect(await readFacts(modal)).toEqual({
        "Address families": shown[0],
        "Extended Nexthop": shown[1],
      });
      const issues = shown.filter((words) => words !== "OK").length;
      expect(bySelector(".issues", modal)()).toHaveLength(issues);
      expect(button("Show refused routes", modal)()).toEqual([]);
      await close(modal);
    }
  },
  "bgp-check-result": async (visit) => {
    visit.backend.reply("troubleshootBGP", checked);
    const modal = await open(visit, check);
    await findAll(byRole("cell", undefined, modal));
    expect(readTexts(byRole("row", undefined, modal))).toEqual([
      "CountIPv4IPv6",
      "Received1112",
      "Refused2122",
      "Rejected updates3132",
    ]);
    expect(button("Show refused routes", modal)()).toHaveLength(1);
  },
  "bgp-check-empty": async (visit) => {
    await openTab(visit);
    const unknown = { "Address families": "Unknown", "Extended Nexthop": "Unknown" };
    const rows = ["ReceivedUnknownUnknown", "RefusedUnknownUnknown", "Rejected updatesUnknownUnknown"];
    const answers = [
      [{}, unknown, rows],
      [{ address_families: null, received_routes: null, filtered_routes: [] }, unknown, rows],
      [
        { bgp_extnh: "OK", received_routes: { ipv6: "12" }, filtered_routes: { ipv4: null, ipv6: 0 } },
        { ...unknown, "Extended Nexthop": "OK" },
        ["ReceivedUnknown12", "RefusedUnknown0", rows[2]],
      ],
    ] as const;
    for (const [answer, facts, counts] of answers) {
      visit.backend.reply("troubleshootBGP", answer);
      const modal = await press(check);
      expect(await readFacts(modal)).toEqual(facts);
      expect(readTexts(byRole("row", undefined, modal)).slice(1)).toEqual(counts);
      await close(modal);
    }
  },
  "query-failed": async (visit) => {
    await openTab(visit);
    for (const query of [check, received, advertised]) {
      visit.backend.refuse(query.call, 502, { message: "BIRD refused.", output: "the router's words" });
      const modal = await press(query);
      await expectShown(text(query === check ? checkFailed : "Failed!", modal));
      await expectShown(text(/BIRD refused\.$/, modal), text("the router's words", modal));
      await close(modal);
    }
    visit.backend.cutOff("troubleshootBGP");
    await expectShown(text(checkFailed, await press(check)));
  },
  "query-waiting": async (visit) => {
    visit.backend.state.hanging.push(...queries.map(({ call }) => call));
    await openTab(visit);
    for (const query of queries) {
      const modal = await press(query);
      await expectShown(text(/…$/, byRole("status", undefined, modal)));
      expect(button("Close", modal)()).toEqual([]);
      await click(button("Cancel", modal));
      await expectCount(modal, 0);
    }
    const modal = await press(check);
    // The dialog receives keys only when it has the focus.
    await waitFor(() => expect(modal()[0]?.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard("{Escape}");
    await expectCount(modal, 0);
  },
  "routes-output": async (visit) => {
    // jsdom has no layout: the list needs a size to render rows.
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(400);
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(800);
    const route = "10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a";
    await openTab(visit);
    for (const query of [received, advertised]) {
      visit.backend.reply(query.call, { output: `Table master4:\n${route}\n` });
      const modal = await press(query);
      await expectCount(byRole("listitem", undefined, modal), 1);
      expect(readTexts(byRole("listitem", undefined, modal))).toEqual([route]);
      await close(modal);
    }
  },
  "routes-other-format": async (visit) => {
    const output = "   Network          Next Hop      Metric\n*> 172.20.1.0/26    172.20.1.1         0";
    visit.backend.reply("getPeerReceivedRoutes", { output });
    visit.backend.reply("getPeerAdvertisedRoutes", { output });
    await openTab(visit);
    for (const query of [received, advertised]) {
      const modal = await press(query);
      expect((await find(region(query.button, modal))).textContent).toBe(output);
      await expectShown(button("Copy to clipboard", modal));
      expect(text(/no routes/, modal)()).toEqual([]);
      await close(modal);
    }
  },
  "restart-any-body": async (visit) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    await openTab(visit);
    for (const body of ['{"output":null}', '["dn42"]', "", '{"output":']) {
      visit.backend.replyText("restartBGPPeer", body);
      const modal = await press(restart);
      await expectShown(text(/^The BGP sessions were restarted\./, modal));
      expect(text(/Failed!/, modal)()).toEqual([]);
      await close(modal);
      vi.setSystemTime(Date.now() + restartRestMs);
      await expectShown(text(/^Drops your BGP sessions/));
    }
    const reads = visit.backend.sent("getPeerStatus").length;
    visit.backend.reply("restartBGPPeer", { output: "dn42: restarted" });
    await expectShown(text("dn42: restarted", await press(restart)));
    // The state may have changed.
    await waitFor(() => expect(visit.backend.sent("getPeerStatus").length).toBeGreaterThan(reads));
    vi.useRealTimers();
  },
  "restart-output-alone": async (visit) => {
    await openTab(visit);
    const bodies = [
      ['{"output":"bird: cannot restart"}', "Failed!bird: cannot restart"],
      ['{"output":"bird: cannot restart","message":"No."}', "Failed!No.bird: cannot restart"],
      ["{}", "Failed!No reason was given."],
      ["<h1>Bad gateway</h1>", "Failed!No reason was given."],
    ] as const;
    for (const [body, shown] of bodies) {
      visit.backend.replyText("restartBGPPeer", body, 500);
      await expectFailure(restart, shown);
    }
  },
  "ping-success": async (visit) => {
    visit.backend.reply("pingCheck", { result: "success", output: "4 received" });
    await openTab(visit);
    for (const [query, addressFamily] of [[ping4, "IPv4"] as const, [ping6, "IPv6"] as const]) {
      const modal = await press(query);
      await expectShown(text(`Your router replied over ${addressFamily}.`, modal), text("4 received", modal));
      expect(text(/Failed!/, modal)()).toEqual([]);
      await close(modal);
    }
  },
  "ping-other-results": async (visit) => {
    await openTab(visit);
    const bodies = [
      [{ result: "failed", output: "100% packet loss" }, "Failed!100% packet loss"],
      [{ result: "Success", output: "4 received" }, "Failed!4 received"],
      [{ output: "no result" }, "Failed!no result"],
      [{ result: null, output: null }, "Failed!The ping returned no output."],
      [{}, "Failed!The ping returned no output."],
    ] as const;
    for (const [index, [body, shown]] of bodies.entries()) {
      visit.backend.reply("pingCheck", body);
      await expectFailure(index % 2 === 0 ? ping4 : ping6, shown);
    }
  },
  "ping-call-failed": async (visit) => {
    await openTab(visit);
    visit.backend.replyText("pingCheck", '{"output":"ping: sendmsg: No route to host"}', 502);
    await expectFailure(ping6, "Failed!ping: sendmsg: No route to host");
    visit.backend.replyText("pingCheck", "", 500);
    await expectFailure(ping6, "Failed!No reason was given.");
    visit.backend.cutOff("pingCheck");
    await expectFailure(
      ping6,
      "Failed!The server could not be reached. Check your connection and try again.",
    );
  },
  "query-close": async (visit) => {
    await openTab(visit);
    for (const query of queries) {
      const modal = await press(query);
      await expectShown(button("Close", modal));
      expect(button("Cancel", modal)()).toEqual([]);
      await close(modal);
    }
    const sent = visit.backend
      .received()
      .filter(({ path }) => queries.some(({ call }) => path.endsWith(call)));
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/api/troubleshootBGP", target],
      ["POST", "/api/getPeerReceivedRoutes", target],
      ["POST", "/api/getPeerAdvertisedRoutes", target],
      ["POST", "/api/restartBGPPeer", target],
      ["POST", "/api/pingCheck", { ...target, addr_family: "ipv4" }],
      ["POST", "/api/pingCheck", { ...target, addr_family: "ipv6" }],
    ]);
  },
});

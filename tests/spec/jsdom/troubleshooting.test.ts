import { expect } from "vitest";
import type { BgpCheck } from "#contract/diagnostics.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
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
  tab,
  text,
} from "./screen.ts";

const target = { username: participant.asn, node: "syd01" };
const checkFailed = "Failed to retrieve BGP config. The node may be unavailable. Please try again later.";

async function openTab({ app, backend }: RowVisit): Promise<void> {
  addPeering(backend.state);
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

const opens =
  (query: RouterQuery): RowTest =>
  async (visit) => {
    await expectShown(button("Close", await open(visit, query)));
  };

const offersCopy =
  (query: RouterQuery): RowTest =>
  async (visit) => {
    await expectShown(button("Copy to clipboard", await open(visit, query)));
  };

const fails =
  (query: RouterQuery, says = "Failed!"): RowTest =>
  async (visit) => {
    visit.backend.refuse(query.call, 502, { message: "BIRD refused.", output: "the router's words" });
    const modal = await open(visit, query);
    await expectShown(text(says, modal), text(/BIRD refused\.$/, modal), text("the router's words", modal));
  };

const pingFails =
  (query: RouterQuery): RowTest =>
  async (visit) => {
    visit.backend.reply("pingCheck", { result: "failed", output: "100% packet loss" });
    const modal = await open(visit, query);
    await expectShown(text("Failed!", modal), text("100% packet loss", modal));
  };

/** Presses the button of a query that fails, and compares what the modal shows between its title and its button. */
async function expectFailure(query: RouterQuery, shown: string): Promise<void> {
  const modal = await press(query);
  await expectShown(button("Close", modal));
  const { textContent } = await find(modal);
  // The announcement for screen readers that the modal waits no longer, and the button after a call that failed.
  const seen = textContent.replace("The node has responded.", "").replace(/Retry$/, "");
  expect(seen).toBe(`${query.title}${shown}Close`);
  await click(button("Close", modal));
  await expectCount(modal, 0);
}

async function expectRestarted(): Promise<void> {
  const modal = await press(restart);
  await expectShown(button("Close", modal), text(/^The BGP sessions were restarted\./, modal));
  expect(text(/Failed!/, modal)()).toEqual([]);
  await click(button("Close", modal));
  await expectCount(modal, 0);
}

const sends =
  ({ call, ...query }: RouterQuery, path: string, body: unknown): RowTest =>
  async (visit) => {
    await expectShown(button("Close", await open(visit, { ...query, call })));
    const sent = visit.backend.received(call);
    expect(sent.map((each) => [each.method, each.path, each.body])).toEqual([["POST", path, body]]);
  };

const checked: BgpCheck = {
  address_families: "OK",
  bgp_extnh: "OK",
  received_routes: { ipv4: 11, ipv6: 12 },
  filtered_routes: { ipv4: 21, ipv6: 22 },
  rejected_routes: { ipv4: 31, ipv6: 32 },
};

/** The two verdicts with their labels, after a check with this response. */
async function verdicts(visit: RowVisit, answer: Partial<BgpCheck>) {
  visit.backend.reply("troubleshootBGP", { ...checked, ...answer });
  return readFacts(await open(visit, check));
}

testRows(
  troubleshootingRows,
  {
    "overview-tab-troubleshooting": async ({ app, backend }) => {
      addPeering(backend.state);
      app.open("/manager?node=syd01");
      await click(tab("Troubleshooting"));
      await expectShown(button(check.button));
    },
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
    "bgp-check-modal": opens(check),
    "bgp-check-ok": async (visit) => {
      const none = { ipv4: 0, ipv6: 0 };
      const answer = { filtered_routes: none, rejected_routes: none };
      expect(await verdicts(visit, answer)).toEqual({ "Address families": "OK", "Extended Nexthop": "OK" });
      expect(button("Show refused routes")()).toEqual([]);
    },
    "bgp-check-families": async (visit) => {
      const says = "Your router does not announce IPv6.";
      expect(await verdicts(visit, { address_families: says })).toEqual({
        "Address families": `Issues${says}`,
        "Extended Nexthop": "OK",
      });
    },
    "bgp-check-extnh": async (visit) => {
      const says = "Your router offers no extended next hop.";
      expect(await verdicts(visit, { bgp_extnh: says })).toEqual({
        "Address families": "OK",
        "Extended Nexthop": `Issues${says}`,
      });
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
    "bgp-check-words": async (visit) => {
      const answer = { address_families: "Mismatch", bgp_extnh: "Not found" };
      expect(await verdicts(visit, answer)).toEqual({
        "Address families": "Mismatch",
        "Extended Nexthop": "Not found",
      });
      expect(bySelector(".issues")().map(({ textContent }) => textContent)).toEqual([
        "Mismatch",
        "Not found",
      ]);
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
        await click(button("Close", modal));
        await expectCount(modal, 0);
      }
    },
    "bgp-check-failed": fails(check, checkFailed),
    "bgp-check-no-answer": async (visit) => {
      visit.backend.cutOff("troubleshootBGP");
      await expectShown(text(checkFailed, await open(visit, check)));
    },
    "received-modal": offersCopy(received),
    "advertised-modal": offersCopy(advertised),
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
        await click(button("Close", modal));
        await expectCount(modal, 0);
      }
    },
    "received-failed": fails(received),
    "advertised-failed": fails(advertised),
    "restart-modal": opens(restart),
    "restart-success": async (visit) => {
      visit.backend.reply("restartBGPPeer", { output: "dn42: restarted" });
      const modal = await open(visit, restart);
      await expectShown(text(/^The BGP sessions were restarted\./, modal), text("dn42: restarted", modal));
      expect(text(/Failed!/, modal)()).toEqual([]);
    },
    "restart-any-body": async (visit) => {
      await openTab(visit);
      for (const body of [{}, { output: null }, { result: "error" }, [], ["dn42"]]) {
        visit.backend.reply("restartBGPPeer", body);
        await expectRestarted();
      }
      for (const body of ["", "OK", "null", '{"output":']) {
        visit.backend.replyText("restartBGPPeer", body);
        await expectRestarted();
      }
    },
    "restart-failed": fails(restart),
    "restart-output-alone": async (visit) => {
      await openTab(visit);
      const bodies = [
        ['{"output":"bird: cannot restart"}', "Failed!bird: cannot restart"],
        ['{"output":"bird: cannot restart","message":null}', "Failed!bird: cannot restart"],
        ['{"output":"bird: cannot restart","message":"No."}', "Failed!No.bird: cannot restart"],
        ["{}", "Failed!No reason was given."],
        ["<h1>Bad gateway</h1>", "Failed!No reason was given."],
      ] as const;
      for (const [body, shown] of bodies) {
        visit.backend.replyText("restartBGPPeer", body, 500);
        await expectFailure(restart, shown);
      }
    },
    "ping4-modal": opens(ping4),
    "ping6-modal": opens(ping6),
    "ping-success": async (visit) => {
      visit.backend.reply("pingCheck", { result: "success", output: "4 received" });
      await openTab(visit);
      for (const [query, addressFamily] of [[ping4, "IPv4"] as const, [ping6, "IPv6"] as const]) {
        const modal = await press(query);
        await expectShown(
          text(`Your router replied over ${addressFamily}.`, modal),
          text("4 received", modal),
        );
        expect(text(/Failed!/, modal)()).toEqual([]);
        await click(button("Close", modal));
        await expectCount(modal, 0);
      }
    },
    "ping4-failed": pingFails(ping4),
    "ping6-failed": pingFails(ping6),
    "ping-other-results": async (visit) => {
      await openTab(visit);
      const bodies = [
        [{ result: "failure", output: "100% packet loss" }, "Failed!100% packet loss"],
        [{ result: "Success", output: "4 received" }, "Failed!4 received"],
        [{ result: "", output: "odd" }, "Failed!odd"],
        [{ output: "no result" }, "Failed!no result"],
        [{ result: "timeout" }, "Failed!The ping returned no output."],
        [{ result: null, output: null }, "Failed!The ping returned no output."],
        [{}, "Failed!The ping returned no output."],
      ] as const;
      for (const [body, shown] of bodies) {
        visit.backend.reply("pingCheck", body);
        await expectFailure(ping4, shown);
      }
    },
    "ping-refused": fails(ping6),
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
        await click(button("Close", modal));
        await expectCount(modal, 0);
      }
    },
    "call-troubleshoot": sends(check, "/api/troubleshootBGP", target),
    "call-restart": sends(restart, "/api/restartBGPPeer", target),
    "call-received": sends(received, "/api/getPeerReceivedRoutes", target),
    "call-advertised": sends(advertised, "/api/getPeerAdvertisedRoutes", target),
    "call-ping4": sends(ping4, "/api/pingCheck", { ...target, addr_family: "ipv4" }),
    "call-ping6": sends(ping6, "/api/pingCheck", { ...target, addr_family: "ipv6" }),
  },
  { isLoggedIn: true },
);

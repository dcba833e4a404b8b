import type { Locator } from "playwright";
import { expect } from "vitest";
import type { CallName } from "../../src/contract/calls.ts";
import type { BgpCheck } from "../../src/contract/entities.ts";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import { fadedIn200ms, settled, watchFading } from "./modals.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { button, facts, heading, seen } from "./seeing.ts";
import { troubleshootingRows } from "./table/troubleshooting.ts";

const whose = { username: participant.asn, node: "syd01" };
const checkFailed = "Failed to retrieve BGP config. The node may be unavailable. Please try again later.";

interface Query {
  readonly button: string;
  readonly title: string;
  readonly call: CallName;
}

const check: Query = { button: "Check BGP config", title: "BGP Config Check", call: "troubleshootBGP" };
const received: Query = {
  button: "Routes received from you",
  title: "Show received routes",
  call: "getPeerReceivedRoutes",
};
const advertised: Query = {
  button: "Routes advertised to you",
  title: "Show advertised routes",
  call: "getPeerAdvertisedRoutes",
};
const restart: Query = { button: "Restart BGP", title: "Restart BGP Peer", call: "restartBGPPeer" };
const ping4: Query = { button: "IPv4 Ping Check", title: "Ping Check", call: "pingCheck" };
const ping6: Query = { button: "IPv6 Ping Check", title: "Ping Check", call: "pingCheck" };
const queries = [check, received, advertised, restart, ping4, ping6];

async function openTab({ page, backend }: RowVisit): Promise<void> {
  addPeering(backend.state);
  await page.goto("/manager?node=syd01&tab=troubleshooting");
  await seen(button(page, check.button));
}

/** Presses a button of the tab, and answers the modal that it opens. */
async function press({ page }: RowVisit, query: Query): Promise<Locator> {
  await button(page, query.button).click();
  const modal = page.getByRole("dialog", { name: query.title, exact: true });
  await seen(modal);
  return modal;
}

async function open(visit: RowVisit, query: Query): Promise<Locator> {
  await openTab(visit);
  return press(visit, query);
}

const within = (modal: Locator, name: string) => modal.getByRole("button", { name, exact: true });
/** It hears keys only then. */
const focused = async (modal: Locator) =>
  await expect.poll(() => modal.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
const gone = (modal: Locator) => modal.waitFor({ state: "detached" });

const opens =
  (query: Query): RowTest =>
  async (visit) => {
    await seen(within(await open(visit, query), "Close"));
  };

const offersCopy =
  (query: Query): RowTest =>
  async (visit) => {
    await seen(within(await open(visit, query), "Copy to clipboard"));
  };

const fails =
  (query: Query, says = "Failed!"): RowTest =>
  async (visit) => {
    visit.backend.refuse(query.call, 502, { message: "BIRD refused.", output: "the router's words" });
    const modal = await open(visit, query);
    await seen(modal.getByText(says, { exact: true }), modal.getByText("the router's words"));
  };

const pingFails =
  (query: Query): RowTest =>
  async (visit) => {
    visit.backend.reply("pingCheck", { result: "failed", output: "100% packet loss" });
    const modal = await open(visit, query);
    await seen(modal.getByText("Failed!", { exact: true }), modal.getByText("100% packet loss"));
  };

const sends =
  ({ call, ...query }: Query, path: string, body: unknown): RowTest =>
  async (visit) => {
    await seen(within(await open(visit, { ...query, call }), "Close"));
    const sent = visit.backend.received(call);
    expect(sent.map((each) => [each.method, each.path, each.body])).toEqual([["POST", path, body]]);
  };

const routes = "Table master4:\n10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a\n";

const lists =
  (query: Query): RowTest =>
  async (visit) => {
    visit.backend.reply(query.call, { output: routes });
    const modal = await open(visit, query);
    const listed = modal.getByRole("listitem");
    await seen(listed);
    expect(await listed.textContent()).toBe("10.1.0.0/24 unicast [a] * (100)\n\tvia fe80::1 on a");
  };

const copies =
  (query: Query): RowTest =>
  async (visit) => {
    const { page, backend } = visit;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    backend.reply(query.call, { output: routes });
    await within(await open(visit, query), "Copy to clipboard").click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(routes);
  };

const checked: BgpCheck = {
  address_families: "OK",
  bgp_extnh: "OK",
  received_routes: { ipv4: 11, ipv6: 12 },
  filtered_routes: { ipv4: 21, ipv6: 22 },
  rejected_routes: { ipv4: 31, ipv6: 32 },
};

/** Beside their labels the two verdicts, after a check that was answered so. */
async function verdicts(visit: RowVisit, answer: Partial<BgpCheck>) {
  visit.backend.reply("troubleshootBGP", { ...checked, ...answer });
  return facts(await open(visit, check));
}

testRows(
  troubleshootingRows,
  {
    "overview-tab-troubleshooting": async ({ page, backend }) => {
      addPeering(backend.state);
      await page.goto("/manager?node=syd01");
      await page.getByRole("tab", { name: "Troubleshooting", exact: true }).click();
      await seen(button(page, check.button));
    },
    "troubleshooting-parts": async (visit) => {
      await openTab(visit);
      const parts = {
        "BGP config verification": [check],
        "Routing verification": [received, advertised],
        Actions: [restart, ping4, ping6],
      };
      for (const [title, all] of Object.entries(parts)) {
        const part = visit.page.getByRole("region", { name: title, exact: true });
        await seen(part, heading(visit.page, title));
        expect(await part.getByRole("button").allTextContents()).toEqual(all.map((query) => query.button));
      }
    },
    "bgp-check-modal": opens(check),
    "bgp-check-ok": async (visit) => {
      expect(await verdicts(visit, {})).toEqual({ "Address families": "OK", "Extended Nexthop": "OK" });
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
      await modal.getByRole("cell").first().waitFor();
      expect(await modal.getByRole("row").allTextContents()).toEqual([
        "CountIPv4IPv6",
        "Received1112",
        "Filtered2122",
        "Rejected3132",
      ]);
    },
    "bgp-check-failed": fails(check, checkFailed),
    "bgp-check-no-answer": async (visit) => {
      visit.backend.cutOff("troubleshootBGP");
      await seen((await open(visit, check)).getByText(checkFailed, { exact: true }));
    },
    "received-modal": offersCopy(received),
    "advertised-modal": offersCopy(advertised),
    "received-output": lists(received),
    "advertised-output": lists(advertised),
    "received-copy": copies(received),
    "advertised-copy": copies(advertised),
    "routes-copied-flag": async (visit) => {
      const { page } = visit;
      await page.context().grantPermissions(["clipboard-write"]);
      const modal = await open(visit, advertised);
      await within(modal, "Copy to clipboard").waitFor();
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await within(modal, "Copy to clipboard").click();
      const flag = modal.getByText("copied", { exact: true });
      await seen(flag);
      await page.clock.runFor(1499);
      await seen(flag);
      await page.clock.runFor(1);
      await seen(within(modal, "Copy to clipboard"));
      expect(await flag.count()).toBe(0);
    },
    "received-failed": fails(received),
    "advertised-failed": fails(advertised),
    "restart-modal": opens(restart),
    "restart-success": async (visit) => {
      visit.backend.reply("restartBGPPeer", { output: "dn42: restarted" });
      const modal = await open(visit, restart);
      await seen(modal.getByText(/^The BGP sessions were restarted\./), modal.getByText("dn42: restarted"));
      expect(await modal.getByText("Failed!").count()).toBe(0);
    },
    "restart-failed": fails(restart),
    "ping4-modal": opens(ping4),
    "ping6-modal": opens(ping6),
    "ping-success": async (visit) => {
      visit.backend.reply("pingCheck", { result: "success", output: "4 received" });
      await openTab(visit);
      for (const [query, family] of [[ping4, "IPv4"] as const, [ping6, "IPv6"] as const]) {
        const modal = await press(visit, query);
        await seen(
          modal.getByText(`Your router answers over ${family}.`, { exact: true }),
          modal.getByText("4 received"),
        );
        expect(await modal.getByText("Failed!").count()).toBe(0);
        await within(modal, "Close").click();
        await gone(modal);
      }
    },
    "ping4-failed": pingFails(ping4),
    "ping6-failed": pingFails(ping6),
    "ping-refused": fails(ping6),
    "query-waiting": async (visit) => {
      visit.backend.state.hanging.push(...queries.map(({ call }) => call));
      await openTab(visit);
      for (const query of queries) {
        const modal = await press(visit, query);
        const loader = modal.getByRole("status").filter({ hasText: "…" });
        await seen(loader, within(modal, "Cancel"));
        expect(await loader.evaluate((it) => it.getAnimations({ subtree: true }).length)).toBe(1);
        expect(await within(modal, "Close").count()).toBe(0);
        await within(modal, "Cancel").click();
        await gone(modal);
      }
    },
    "query-close": async (visit) => {
      await openTab(visit);
      for (const query of queries) {
        const modal = await press(visit, query);
        await seen(within(modal, "Close"));
        expect(await within(modal, "Cancel").count()).toBe(0);
        await within(modal, "Close").click();
        await gone(modal);
      }
    },
    "query-escape": async (visit) => {
      visit.backend.state.hanging.push(...queries.map(({ call }) => call));
      await openTab(visit);
      for (const query of queries) {
        const modal = await press(visit, query);
        await seen(within(modal, "Cancel"));
        await focused(modal);
        await visit.page.keyboard.press("Escape");
        await gone(modal);
      }
    },
    "query-transition": async (visit) => {
      const { page } = visit;
      await openTab(visit);
      await watchFading(page);
      for (const query of queries) {
        const modal = await press(visit, query);
        await seen(within(modal, "Close"));
        await settled(modal);
        await page.keyboard.press("Escape");
        await gone(modal);
        await fadedIn200ms(page);
      }
    },
    "call-troubleshoot": sends(check, "/api/troubleshootBGP", whose),
    "call-restart": sends(restart, "/api/restartBGPPeer", whose),
    "call-received": sends(received, "/api/getPeerReceivedRoutes", whose),
    "call-advertised": sends(advertised, "/api/getPeerAdvertisedRoutes", whose),
    "call-ping4": sends(ping4, "/api/pingCheck", { ...whose, addr_family: "ipv4" }),
    "call-ping6": sends(ping6, "/api/pingCheck", { ...whose, addr_family: "ipv6" }),
  },
  { signedIn: true, ownContext: ["received-copy", "advertised-copy", "routes-copied-flag"] },
);

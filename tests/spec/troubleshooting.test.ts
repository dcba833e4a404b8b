import { expect } from "vitest";
import { addPeering } from "../../src/mocks/samples.ts";
import { participant } from "../../src/mocks/state.ts";
import type { CallName } from "../../src/contract/calls.ts";
import { type RowTest, type RowVisit, testRows } from "./rows.ts";
import { button, seen } from "./seeing.ts";
import { troubleshootingRows } from "./table/troubleshooting.ts";

const whose = { username: participant.asn, node: "syd01" };
const checkFailed = "Failed to retrieve BGP config. The node may be unavailable. Please try again later.";

/** Presses a button of the tab, and answers the modal that it opens. */
async function press({ page, backend }: RowVisit, name: string, title: string) {
  addPeering(backend.state);
  await page.goto("/manager?node=syd01");
  await page.getByRole("tab", { name: "Troubleshooting", exact: true }).click();
  await button(page, name).click();
  const modal = page.getByRole("dialog", { name: title, exact: true });
  await seen(modal);
  return modal;
}

const opens =
  (name: string, title: string, copies = false): RowTest =>
  async (visit) => {
    const modal = await press(visit, name, title);
    await seen(modal.getByRole("button", { name: "Close", exact: true }));
    if (copies) await seen(modal.getByRole("button", { name: "Copy to clipboard", exact: true }));
  };

const fails =
  (call: CallName, name: string, title: string, says: string): RowTest =>
  async (visit) => {
    visit.backend.refuse(call, 502, { message: "BIRD refused.", output: "the router's words" });
    const modal = await press(visit, name, title);
    await seen(modal.getByText(says, { exact: true }), modal.getByText("the router's words"));
  };

const sends =
  (call: CallName, path: string, name: string, title: string, body: unknown): RowTest =>
  async (visit) => {
    const modal = await press(visit, name, title);
    await seen(modal.getByRole("button", { name: "Close", exact: true }));
    const sent = visit.backend.received(call);
    expect(sent.map((each) => [each.method, each.path, each.body])).toEqual([["POST", path, body]]);
  };

const check = ["Check BGP config", "BGP Config Check"] as const;
const received = ["Routes received from you", "Show received routes"] as const;
const advertised = ["Routes advertised to you", "Show advertised routes"] as const;
const restart = ["Restart BGP", "Restart BGP Peer"] as const;
const ping4 = ["IPv4 Ping Check", "Ping Check"] as const;
const ping6 = ["IPv6 Ping Check", "Ping Check"] as const;

testRows(
  troubleshootingRows,
  {
    "overview-tab-troubleshooting": opens(...check),
    "bgp-check-modal": opens(...check),
    "bgp-check-result": async (visit) => {
      visit.backend.reply("troubleshootBGP", {
        address_families: "OK",
        bgp_extnh: "OK",
        received_routes: { ipv4: 11, ipv6: 12 },
        filtered_routes: { ipv4: 21, ipv6: 22 },
        rejected_routes: { ipv4: 31, ipv6: 32 },
      });
      const modal = await press(visit, ...check);
      await modal.getByRole("cell").first().waitFor();
      expect(await modal.getByRole("cell").allTextContents()).toEqual(["11", "12", "21", "22", "31", "32"]);
    },
    "bgp-check-failed": fails("troubleshootBGP", ...check, checkFailed),
    "bgp-check-no-answer": async (visit) => {
      visit.backend.cutOff("troubleshootBGP");
      await seen((await press(visit, ...check)).getByText(checkFailed, { exact: true }));
    },
    "received-modal": opens(...received, true),
    "advertised-modal": opens(...advertised, true),
    "routes-failed": async (visit) => {
      await fails("getPeerReceivedRoutes", ...received, "Failed!")(visit);
      await fails("getPeerAdvertisedRoutes", ...advertised, "Failed!")(visit);
    },
    "restart-modal": opens(...restart),
    "restart-failed": fails("restartBGPPeer", ...restart, "Failed!"),
    "ping4-modal": opens(...ping4),
    "ping6-modal": opens(...ping6),
    "ping-failed": async (visit) => {
      visit.backend.reply("pingCheck", { result: "failed", output: "100% packet loss" });
      const modal = await press(visit, ...ping4);
      await seen(modal.getByText("Failed!", { exact: true }), modal.getByText("100% packet loss"));
    },
    "query-waiting": async (visit) => {
      visit.backend.state.hanging.push("pingCheck");
      const modal = await press(visit, ...ping4);
      await seen(modal.getByText("Pinging your IPv4 tunnel address…", { exact: true }));
      await modal.getByRole("button", { name: "Cancel", exact: true }).click();
      await modal.waitFor({ state: "hidden" });
    },
    "query-close": async (visit) => {
      const modal = await press(visit, ...ping4);
      await modal.getByRole("button", { name: "Close", exact: true }).click();
      await modal.waitFor({ state: "hidden" });
      expect(visit.backend.received("pingCheck")).toHaveLength(1);
    },
    "call-troubleshoot": sends("troubleshootBGP", "/api/troubleshootBGP", ...check, whose),
    "call-restart": sends("restartBGPPeer", "/api/restartBGPPeer", ...restart, whose),
    "call-received": sends("getPeerReceivedRoutes", "/api/getPeerReceivedRoutes", ...received, whose),
    "call-advertised": sends("getPeerAdvertisedRoutes", "/api/getPeerAdvertisedRoutes", ...advertised, whose),
    "call-ping4": sends("pingCheck", "/api/pingCheck", ...ping4, { ...whose, addr_family: "ipv4" }),
    "call-ping6": sends("pingCheck", "/api/pingCheck", ...ping6, { ...whose, addr_family: "ipv6" }),
  },
  { signedIn: true },
);

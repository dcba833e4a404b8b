/**
 * A participant's peerings in their states, on a phone in the light scheme and a desktop in the dark scheme: axe reports
 * no violation, nothing is wider than the viewport, and the console stays empty. One or two tests with each commit.
 */
import type { Page } from "playwright";
import { beforeAll } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { RefusedRoutes } from "../../src/contract/diagnostics.ts";
import {
  deployPeering,
  type Participant,
  setNodeMode,
  signUp,
  submitPeering,
} from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openAudited, openScreen, testShareOfCommit } from "./axe-audit.ts";
import { choose, chooseNode, fill, fillToConfirm, nextStep, submit } from "./wizard.ts";

const demo = useDemo({ waitMs: 600_000 });
/** Begins without peerings. A deployment to an offline node stays pending for longer than the tests take. */
let newcomer: Participant;

beforeAll(async () => {
  newcomer = await signUp(demo.url, "4242420002");
  await deployPeering(demo.participant, "syd01", { remote_port: "11" });
  await deployPeering(demo.participant, "per01", { remote_port: "17" });
});

const open = (as: Participant) => openAudited(demo.url, as);
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const limited: RefusedRoutes = {
  routes: [],
  totals: { ipv4: 6000, ipv6: 0 },
  cut: true,
  limits: ["The node stopped accepting IPv4 routes from you at 6000 (refused ones included)."],
};

async function close(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

testShareOfCommit({
  "every modal: pending, with its response, and failed": async () => {
    const { page, audit } = await open(demo.participant);
    await page.goto("/manager?node=syd01&tab=details");
    await audit("details", page.getByText("Output from syd01"));
    await openScreen(page, "/manager?node=syd01&tab=troubleshooting");
    await audit("troubleshooting", page.getByText("BGP config verification"));

    const { promise: seen, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${calls.troubleshootBGP.path}`, async (route) => {
      await seen;
      await route.continue();
    });
    await press(page, "Check BGP config");
    await audit("waiting", page.getByText("Comparing both sides…"));
    release();
    await audit("BGP check", page.getByRole("button", { name: "Show refused routes" }));
    await press(page, "Show refused routes");
    await audit("refused routes", page.getByText("0.0.0.0/0 is a default route"));
    await page.getByRole("tab", { name: "All" }).click();
    await audit("received routes", page.getByText(/^\d+ routes$/));
    await page.getByLabel("Filter").fill("nowhere");
    await audit("nothing matches", page.getByText("No route matches the filter."));
    await close(page);
    // The button of the check is gone, so the focus returns to the one that opens the same dialog.
    await page.locator("button:focus", { hasText: "Routes received from you" }).waitFor();

    await page.route(`**${calls.getRefusedRoutes.path}`, (route) => route.fulfill({ json: limited }));
    await press(page, "Routes received from you");
    await page.getByRole("tab", { name: "Refused (6000)" }).click();
    await audit("limit hit", page.getByText("The node stopped accepting IPv4 routes"));
    await close(page);
    await press(page, "Routes advertised to you");
    await audit("advertised routes", page.getByRole("region", { name: "Routes advertised to you" }));
    await press(page, "Copy to clipboard");
    await close(page);
    await press(page, "IPv6 Ping Check");
    await audit("ping answered", page.getByText("Your router replied over IPv6."));
    await close(page);
    const noReply = { result: "failed", output: "5 packets transmitted, 0 received" };
    await page.route(`**${calls.pingCheck.path}`, (route) => route.fulfill({ json: noReply }));
    await press(page, "IPv6 Ping Check");
    await audit("ping failed", page.getByText("Failed!"));
    await close(page);
    await press(page, "Restart BGP");
    await audit("restarted", page.getByText("The BGP sessions were restarted."));
    await close(page);

    await openScreen(page, "/manager?node=per01&tab=troubleshooting");
    await page.getByRole("heading", { name: "per01" }).waitFor();
    await page.unroute(`**${calls.troubleshootBGP.path}`);
    await press(page, "Check BGP config");
    await audit("BGP check with issues", page.getByText("does not announce").first());
    await close(page);
  },

  "the wizard and its deployments": async () => {
    const { page, audit } = await open(newcomer);
    await page.goto("/manager");
    await audit("no peerings", page.getByText("You don't appear to have any peerings yet."));
    await openScreen(page, "/manager/updatepeer/new");
    await audit("node step", page.getByText("Only one peering per provider node"));
    await chooseNode(page, "ny01");
    await audit("family step", page.getByText("Address family"));
    await choose(page, /Address family/, "Both");
    await choose(page, /Extended Nexthop/, "No");
    await choose(page, /custom/, "Yes");
    await audit("family step for both", page.getByLabel("Enter the IPv6 address"));
    await nextStep(page);
    await page.getByText("More options").click();
    await fill(page, {
      "Public IP or hostname": "!",
      Port: "0",
      "Public key": "x",
      "IPv4 tunnel address": "1",
    });
    await page.getByLabel("IPv6 tunnel address").focus();
    await audit("invalid details", page.getByText("Invalid value"));
    await fillToConfirm(page, "ny01", "172.20.10.1");
    await audit("confirm step", page.getByRole("button", { name: "Submit" }));
    await submit(page);
    await audit("value refused", page.getByText("The server rejected the value marked below."));
    await setNodeMode(demo.url, "ny01", "refuse");
    await fill(page, { "IPv4 tunnel address": "172.20.2.5" });
    await nextStep(page);
    await submit(page);
    await audit("failed", page.getByText("Possible causes"));
    await setNodeMode(demo.url, "ny01", "offline");
    await page.getByRole("button", { name: "Review and redeploy" }).click();
    await submit(page);
    await page.getByText("ny01.demo.dn42 cannot be reached.").waitFor();
    await page.reload();
    await audit("waiting", page.getByText("ny01.demo.dn42 cannot be reached."));
    await setNodeMode(demo.url, "ny01", "normal");
    await audit("deployed", page.getByText("Here is the config for your side:"));
  },

  "the dashboard and the overview": async () => {
    await deployPeering(newcomer, "syd01");
    await deployPeering(newcomer, "per01", { remote_port: "9" });
    await deployPeering(newcomer, "za01", { remote_port: "13" });
    await setNodeMode(demo.url, "sin01", "offline");
    await submitPeering(newcomer, "sin01");

    const { page, audit } = await open(newcomer);
    await page.goto("/manager");
    await audit("peerings", page.getByText("Deploying…"));
    // The menu opens and closes with the width; the button then opens it on the phone and closes it on the desktop.
    await audit("menu toggled", page.getByRole("heading", { name: "Dashboard" }), () =>
      press(page, "= menu"),
    );
    await openScreen(page, "/manager?node=syd01");
    await audit("up", page.getByText("Established ✅"));
    await openScreen(page, "/manager?node=per01");
    await audit("tunnel awaited", page.getByText("Waiting for your router").first());
    await openScreen(page, "/manager?node=za01");
    await audit("session awaited", page.getByText("Up ✅"));
    await openScreen(page, "/manager?node=sin01");
    await audit("node offline", page.getByText("sin01.demo.dn42 cannot be reached: "));
    await openScreen(page, "/manager?node=syd01&tab=edit");
    await audit("edit tab", page.getByText("Configuration for your router"));
    await press(page, "Delete peering");
    await audit("delete dialog", page.getByText("Are you sure you want to delete this peering?"));
    await openScreen(page, "/manager/updatepeer/delete?node=syd01");
    await audit("delete step", page.getByText("Are you sure you want to delete the peering?"));
    await press(page, "Yes");
    await audit("deleted", page.getByText("You have successfully deleted the peering on this node."));
  },
});

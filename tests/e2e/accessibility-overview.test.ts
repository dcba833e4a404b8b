/** Detailed Info and Troubleshooting in all their states, as `accessibility.test.ts` looks at the other screens. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { RefusedRoutes } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import {
  ended,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { nothing, openLooking } from "./look.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
  for (const [node, port] of [
    ["syd01", "11"],
    ["per01", "17"],
  ] as const) {
    const { asn, call } = participant;
    const { taskID } = await call(calls.updatePeerConfig, [
      { username: asn },
      peerUpdate({ node, remote_port: port }),
    ]);
    expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  }
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function close(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

const limited: RefusedRoutes = {
  routes: [],
  totals: { ipv4: 6000, ipv6: 0 },
  cut: true,
  limits: ["The node stopped taking IPv4 routes from you at 6000, refused ones included."],
};

test("every modal: waiting, answered and failed", async () => {
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await page.goto("/manager?node=syd01&tab=details");
  await look("details", page.getByText("Printed by syd01"));
  await page.goto("/manager?node=syd01&tab=troubleshooting");
  await look("troubleshooting", page.getByText("BGP config verification"));

  const { promise: seen, resolve: release } = Promise.withResolvers<void>();
  await page.route(`**${calls.troubleshootBGP.path}`, async (route) => {
    await seen;
    await route.continue();
  });
  await press(page, "Check BGP config");
  await look("waiting", page.getByText("Comparing both sides…"));
  release();
  await look("BGP check", page.getByRole("button", { name: "Show refused routes" }));
  await press(page, "Show refused routes");
  await look("refused routes", page.getByText("0.0.0.0/0 is a default route"));
  await page.getByRole("tab", { name: "All" }).click();
  await look("received routes", page.getByText("20 routes"));
  await page.getByLabel("Filter").fill("nowhere");
  await look("nothing matches", page.getByText("No route holds every word of the filter."));
  await close(page);

  await page.route(`**${calls.getRefusedRoutes.path}`, (route) => route.fulfill({ json: limited }));
  await press(page, "Routes received from you");
  await page.getByRole("tab", { name: "Refused (6000)" }).click();
  await look("limit hit", page.getByText("The node stopped taking IPv4 routes"));
  await close(page);
  await press(page, "Routes advertised to you");
  await look("advertised routes", page.getByRole("region", { name: "Routes advertised to you" }));
  await press(page, "Copy to clipboard");
  await close(page);
  await press(page, "IPv6 Ping Check");
  await look("ping answered", page.getByText("Your router answers over IPv6."));
  await close(page);
  await press(page, "IPv4 Ping Check");
  await look("ping failed", page.getByText("Failed!"));
  await close(page);
  await press(page, "Restart BGP");
  await look("restarted", page.getByText("The BGP sessions were restarted."));
  await close(page);

  await page.goto("/manager?node=per01&tab=troubleshooting");
  await page.unroute(`**${calls.troubleshootBGP.path}`);
  await press(page, "Check BGP config");
  await look("BGP check with issues", page.getByText("does not announce").first());
  expect(found()).toEqual(nothing);
});

test("a node that is away", async () => {
  await setNodeMode(server.url, "per01", "offline");
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await page.goto("/manager?node=per01&tab=details");
  await look("details failed", page.getByText("The node's output could not be loaded."));
  await page.goto("/manager?node=per01");
  await look("unknown", page.getByText("Unknown"));
  await page.goto("/manager?node=per01&tab=troubleshooting");
  await press(page, "Check BGP config");
  await look("BGP check failed", page.getByText("Failed to retrieve BGP config."));
  expect(found()).toEqual(nothing);
});

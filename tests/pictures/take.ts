/**
 * Takes the README's pictures of the built app (`npm run pictures`), on the demo and with nothing but what a
 * participant of it can do. What still differs from run to run is what the simulated routers count.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright";
import { calls } from "../../src/contract/calls.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { tileHost } from "../e2e/map-visit.ts";
import { type VisitOptions, visit } from "../e2e/visit.ts";
import { answer, chooseNode, fill, next, submit } from "../e2e/wizard.ts";
import { demoServer } from "../integration/server/demo-server.ts";
import {
  ended,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");
/** Heights that leave nothing empty; a row of the README shows pictures of one height. */
const low: VisitOptions = { viewport: { width: 1280, height: 640 } };
const high: VisitOptions = { viewport: { width: 1280, height: 830 } };
const phone: VisitOptions = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };

/** The ports choose what the simulated far side does (src/agent/drivers/simulated/triggers.ts). */
const peerings: readonly Partial<PeerUpdate>[] = [
  { node: "de01", remote_ip: "gw1.ada.example.org" },
  { node: "sin01", remote_ip: "gw2.ada.example.org", remote_port: "11" },
  { node: "za01", remote_ip: "gw3.ada.example.org", remote_port: "13" },
];

await using server = await demoServer({ timeScale: 0.05, observeEveryMs: 500 });
const participant = await signUp(server.url, "4242420001");
for (const peering of peerings) await deploy(participant, peering);
await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
try {
  await takeOverview(browser);
  await takeDeployment(browser);
  await takeMap(browser);
  await takeRefusedRoutes(browser);
} finally {
  await browser.close();
}

async function takeOverview(of: Browser): Promise<void> {
  await using opened = await visit(of, server.url, { ...low, as: participant });
  const { page } = opened;
  await page.goto("/manager?node=de01");
  await take(page, "overview", page.getByText("Established ✅"));
}

async function takeDeployment(of: Browser): Promise<void> {
  await using opened = await visit(of, server.url, { ...phone, colorScheme: "dark", as: participant });
  const { page } = opened;
  await chooseNode(page, "ny01");
  await answer(page, /Address family/, "Both");
  await answer(page, /Extended Nexthop/, "Yes");
  await next(page);
  await fill(page, {
    "Public IP or hostname": "gw1.ada.example.org",
    Port: "51820",
    "Public key": keyOf("ny01"),
    "IPv6 tunnel address": "fe80::1",
  });
  await next(page);
  await submit(page);
  await take(page, "deployment", page.getByText("Here is the config for your side:"));
}

async function takeMap(of: Browser): Promise<void> {
  await setNodeMode(server.url, "de01", "offline");
  await using opened = await visit(of, server.url, { ...high, colorScheme: "dark" });
  const { page } = opened;
  // As where the tile service cannot be reached: the outline of the world is ours to publish.
  await page.route(`${tileHost}/**`, (route) => route.abort());
  await page.goto("/map");
  await page.getByRole("button", { name: "Show all nodes" }).click();
  await take(page, "map", page.locator("path.link-down"));
}

async function takeRefusedRoutes(of: Browser): Promise<void> {
  await using opened = await visit(of, server.url, { ...high, as: participant });
  const { page } = opened;
  await page.goto("/manager?node=sin01&tab=troubleshooting");
  await page.getByRole("button", { name: "Routes received from you" }).click();
  await page.getByRole("tab", { name: /^Refused/ }).click();
  await take(page, "refused-routes", page.getByText("0.0.0.0/0 is a default route"));
}

/** Takes the part of the page that is in sight, once this is there and every picture and font of the page is. */
async function take(page: Page, name: string, seen: Locator): Promise<void> {
  await seen.first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  process.stdout.write(`docs/pictures/${name}.png\n`);
}

async function deploy({ asn, call }: Participant, changes: Partial<PeerUpdate>): Promise<void> {
  const update = peerUpdate({ public_key: keyOf(changes.node ?? ""), ...changes });
  const task = await ended(
    { asn, cookie: "", call },
    (await call(calls.updatePeerConfig, [{ username: asn }, update])).taskID,
  );
  if (task.status !== "success") throw new Error(`${update.node}: ${task.status}, ${task.reason}`);
}

/** The same key in every run; nobody holds the private one. */
function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("base64");
}

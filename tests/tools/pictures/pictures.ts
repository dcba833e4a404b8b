/**
 * Takes the pictures of the built app for the README and the manifest (`npm run pictures`), on the demo, using only actions
 * that a participant can do. Only the counters of the simulated routers differ between runs.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Browser, Locator, Page } from "playwright";
import { calls } from "#contract/calls.ts";
import type { PeerUpdate } from "#contract/entities.ts";
import { stubPushService } from "../../e2e/push.ts";
import { type VisitOptions, visit } from "../../e2e/visit.ts";
import { choose, chooseNode, fill, nextStep, submit } from "../../e2e/wizard.ts";
import { browserSubscription } from "../../integration/push/browser.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { waitForTask, type Participant, peerUpdate, signUp } from "../../integration/server/participant.ts";
import { repository } from "../../support/repository.ts";
import { launchPictureBrowser } from "./picture-browser.ts";

const readmeFolder = join(repository, "docs/pictures");
const manifestFolder = join(repository, "public/screenshots");
/** The README's pictures have the same height in the README. */
const desktop: VisitOptions = { viewport: { width: 1280, height: 640 } };
const phone: VisitOptions = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true };

/** As on a device with the app installed and a push service. */
const installed: VisitOptions = { worker: true, permissions: ["notifications"] };

const narrow: VisitOptions = { viewport: { width: 390, height: 844 } };
const wide: VisitOptions = { viewport: { width: 1280, height: 800 } };
const screenshots = [
  { file: "dashboard-narrow.png", path: "/manager", view: narrow },
  { file: "peering-narrow.png", path: "/manager?node=de01", view: narrow },
  { file: "dashboard-wide.png", path: "/manager", view: wide },
  { file: "map-wide.png", path: "/map", view: wide },
] as const;

/** The ports select the behaviour of the simulated remote router (src/agent/drivers/simulated/faults.ts). */
const peerings: readonly Partial<PeerUpdate>[] = [
  { node: "de01", remote_ip: "gw1.ada.example.org" },
  { node: "sin01", remote_ip: "gw2.ada.example.org", remote_port: "11" },
  { node: "za01", remote_ip: "gw3.ada.example.org", remote_port: "13" },
];

await using server = await demoServer({ timeScale: 0.05, observeEveryMs: 500, withHistory: true });
const participant = await signUp(server.url, "4242420001");
for (const peering of peerings) await deploy(participant, peering);
for (const folder of [readmeFolder, manifestFolder]) await mkdir(folder, { recursive: true });
await using browser = await launchPictureBrowser();
for (const screenshot of screenshots) await takeScreenshot(browser, screenshot);
await takeOverview(browser);
await takeDeployment(browser);

async function takeScreenshot(
  of: Browser,
  { file, path, view }: (typeof screenshots)[number],
): Promise<void> {
  await using opened = await visit(of, server.url, { ...view, ...installed, as: participant });
  const { page } = opened;
  await stubPushService(page.context(), browserSubscription());
  await page.goto(path);
  await page.waitForLoadState("networkidle");
  await save(page, join(manifestFolder, file));
}

async function takeOverview(of: Browser): Promise<void> {
  await using opened = await visit(of, server.url, { ...desktop, ...installed, as: participant });
  const { page } = opened;
  await stubPushService(page.context(), browserSubscription());
  await page.goto("/manager?node=de01");
  await takePicture(page, "overview", page.getByText("Established ✅"));
}

async function takeDeployment(of: Browser): Promise<void> {
  await using opened = await visit(of, server.url, {
    ...phone,
    ...installed,
    colorScheme: "dark",
    as: participant,
  });
  const { page } = opened;
  await stubPushService(page.context(), browserSubscription());
  await chooseNode(page, "ny01");
  await choose(page, /Address family/, "Both");
  await choose(page, /Extended Nexthop/, "Yes");
  await nextStep(page);
  await fill(page, {
    "Public IP or hostname": "gw1.ada.example.org",
    Port: "51820",
    "Public key": keyOf("ny01"),
    "IPv6 tunnel address": "fe80::1",
  });
  await nextStep(page);
  await submit(page);
  await takePicture(page, "deployment", page.getByText("Here is the config for your side:"));
}

/** Takes a picture of the viewport once this element, all images and all fonts are loaded. */
async function takePicture(page: Page, name: string, seen: Locator): Promise<void> {
  await seen.first().waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  await save(page, join(readmeFolder, `${name}.png`));
}

async function save(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  process.stdout.write(`${relative(repository, path)}\n`);
}

async function deploy({ asn, call }: Participant, changes: Partial<PeerUpdate>): Promise<void> {
  const update = peerUpdate({ public_key: keyOf(changes.node ?? ""), ...changes });
  const task = await waitForTask(
    { asn, cookie: "", call },
    (await call(calls.updatePeerConfig, [{ username: asn }, update])).taskID,
  );
  if (task.status !== "success") throw new Error(`${update.node}: ${task.status}, ${task.reason}`);
}

/** A key that is the same in every run. The private key is unknown. */
function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("base64");
}

/**
 * Takes the pictures of the built app for the README and the manifest (`npm run pictures`), on the demo, using only actions
 * that a participant can do. Only the counters of the simulated routers differ between runs.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Browser, Page } from "playwright";
import { stubPushService } from "../../e2e/push.ts";
import { type VisitOptions, visit } from "../../e2e/visit.ts";
import { choose, chooseNode, fill, nextStep, submit } from "../../e2e/wizard.ts";
import { browserSubscription } from "../../integration/push/browser.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { deployPeering, signUp } from "../../integration/server/participant.ts";
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
const pictures = [
  { file: join(manifestFolder, "dashboard-narrow.png"), path: "/manager", view: narrow },
  { file: join(manifestFolder, "peering-narrow.png"), path: "/manager?node=de01", view: narrow },
  { file: join(manifestFolder, "dashboard-wide.png"), path: "/manager", view: wide },
  { file: join(manifestFolder, "map-wide.png"), path: "/map", view: wide },
  { file: join(readmeFolder, "overview.png"), path: "/manager?node=de01", view: desktop },
] as const;

/** The ports select the behaviour of the simulated remote router (src/agent/drivers/simulated/faults.ts). */
const peerings = [
  { node: "de01", remote_ip: "gw1.ada.example.org" },
  { node: "sin01", remote_ip: "gw2.ada.example.org", remote_port: "11" },
  { node: "za01", remote_ip: "gw3.ada.example.org", remote_port: "13" },
] as const;

await using server = await demoServer({ timeScale: 0.05, observeEveryMs: 500, withHistory: true });
const participant = await signUp(server.url, "4242420001");
for (const { node, ...changes } of peerings)
  await deployPeering(participant, node, { public_key: keyOf(node), peer_ipv6: "fe80::1", ...changes });
for (const folder of [readmeFolder, manifestFolder]) await mkdir(folder, { recursive: true });
await using browser = await launchPictureBrowser();
for (const { file, path, view } of pictures) {
  await using opened = await openPage(browser, view);
  await opened.page.goto(path);
  if (path.includes("node=")) await opened.page.getByText("Established ✅").first().waitFor();
  await save(opened.page, file);
}
await takeDeployment(browser);

async function openPage(of: Browser, view: VisitOptions) {
  const opened = await visit(of, server.url, { ...view, ...installed, as: participant });
  await stubPushService(opened.page.context(), browserSubscription());
  return opened;
}

async function takeDeployment(of: Browser): Promise<void> {
  await using opened = await openPage(of, { ...phone, colorScheme: "dark" });
  const { page } = opened;
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
  await page.getByText("Here is the config for your side:").waitFor();
  await save(page, join(readmeFolder, "deployment.png"));
}

/** Takes a picture of the viewport once all data, images and fonts are loaded. */
async function save(page: Page, path: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  process.stdout.write(`${relative(repository, path)}\n`);
}

/** A key that is the same in every run. The private key is unknown. */
function keyOf(name: string): string {
  return createHash("sha256").update(name).digest("base64");
}

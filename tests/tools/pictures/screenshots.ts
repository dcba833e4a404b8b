/** `npm run screenshots`: takes the screenshots of the built app for the manifest (public/screenshots), on the demo. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { calls } from "#contract/calls.ts";
import { stubPushService } from "../../e2e/push.ts";
import { visit } from "../../e2e/visit.ts";
import { browserSubscription } from "../../integration/push/browser.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { waitForTask, peerUpdate, signUp } from "../../integration/server/participant.ts";
import { repository } from "../../support/repository.ts";
import { launchPictureBrowser } from "./picture-browser.ts";

const narrow = { width: 390, height: 844 };
const wide = { width: 1280, height: 800 };

const pictures = [
  { file: "dashboard-narrow.png", at: "/manager", viewport: narrow },
  { file: "peering-narrow.png", at: "/manager?node=de01", viewport: narrow },
  { file: "dashboard-wide.png", at: "/manager", viewport: wide },
  { file: "map-wide.png", at: "/map", viewport: wide },
] as const;

const folder = path.join(repository, "public/screenshots");
await mkdir(folder, { recursive: true });
await using server = await demoServer();
const participant = await signUp(server.url, "4242420001", "a sentence for the pictures");
const { asn, call } = participant;
for (const node of ["de01", "sin01"]) {
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node })]);
  await waitForTask(participant, taskID);
}
await using browser = await launchPictureBrowser();
for (const { file, at, viewport } of pictures) {
  // As on a device with the app installed and a push service.
  const installed = { worker: true, permissions: ["notifications"] };
  await using seen = await visit(browser, server.url, { as: participant, viewport, ...installed });
  await stubPushService(seen.page.context(), browserSubscription());
  await seen.page.goto(at, { waitUntil: "networkidle" });
  // Waits for samples and sessions.
  await seen.page.waitForTimeout(6_000);
  await seen.page.screenshot({ path: path.join(folder, file) });
}

/** `npm run screenshots`: pictures of the built app for the manifest (public/screenshots), from the demo. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { calls } from "../../src/contract/calls.ts";
import { launchBrowser } from "../e2e/browser.ts";
import { pushServiceFor } from "../e2e/push.ts";
import { visit } from "../e2e/visit.ts";
import { browserSubscription } from "../integration/push/browser.ts";
import { demoServer } from "../integration/server/demo-server.ts";
import { ended, peerUpdate, signUp } from "../integration/server/participant.ts";
import { repository } from "../setup/repository.ts";

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
  await ended(participant, taskID);
}
await using browser = await launchBrowser();
for (const { file, at, viewport } of pictures) {
  // As it is for somebody who has the app installed, on a device with a push service.
  const installed = { worker: true, permissions: ["notifications"] };
  await using seen = await visit(browser, server.url, { as: participant, viewport, ...installed });
  await pushServiceFor(seen.page.context(), browserSubscription());
  await seen.page.goto(at, { waitUntil: "networkidle" });
  // Samples and sessions are there a moment later; a picture can wait.
  await seen.page.waitForTimeout(6_000);
  await seen.page.screenshot({ path: path.join(folder, file) });
}

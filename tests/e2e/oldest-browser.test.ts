/** The app in its oldest supported browser, Safari 16.4, imitated by Chromium without the APIs that Safari lacks. */
import { expect, onTestFinished, test } from "vitest";
import { deployPeering, signUp } from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { waitForWorker } from "./installed-device.ts";
import { startPublishedApp, createVersion } from "./published-app.ts";
import { visit } from "./visit.ts";

const newer = [
  "AbortSignal.any",
  "Map.groupBy",
  "Object.groupBy",
  "Promise.try",
  "Promise.withResolvers",
  "Response.json",
  "Set.prototype.difference",
  "Set.prototype.intersection",
  "Set.prototype.union",
  "URL.canParse",
  "URL.parse",
  "globalThis.Iterator",
];

test("a participant sees their peerings, from the server and from the device", async () => {
  const without = newer.map((name) => `delete ${name};`).join("");
  const built = await createVersion(1, { entryBegins: without, workerBegins: without });
  const app = await startPublishedApp(built.folder);
  const participant = await signUp(app.url, "4242420001");
  await deployPeering(participant, "de01");
  const visitor = await visit(await sharedBrowser(), app.url, { worker: true, as: participant });
  onTestFinished(async () => {
    await visitor[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });
  const { page, consoleErrors } = visitor;
  await page.goto("/manager");
  await waitForWorker(page);
  await page.reload();
  await page.getByText("node: de01").waitFor();
  expect(await page.getByText(/last known, /).count()).toBe(0);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("node: de01").waitFor();
  await page.getByText(/last known, /).waitFor();
  expect(consoleErrors).toEqual([]);
});

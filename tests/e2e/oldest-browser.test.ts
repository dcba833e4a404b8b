/** The app in the oldest Safari that it is built for, 16.4, as far as Chromium without what that lacks shows it. */
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { ended, peerUpdate, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { workerReady } from "./device.ts";
import { publishedApp, version } from "./published.ts";
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

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test("a participant sees their peerings, from the server and from the device", async () => {
  const without = newer.map((name) => `delete ${name};`).join("");
  const built = await version(1, { entryBegins: without, workerBegins: without });
  const app = await publishedApp(built.folder);
  const participant = await signUp(app.url, "4242420001");
  const { asn: username, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "de01" })]);
  await ended(participant, taskID);
  const visitor = await visit(browser, app.url, { worker: true, as: participant });
  onTestFinished(async () => {
    await visitor[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await built[Symbol.asyncDispose]();
  });
  const { page, complaints } = visitor;
  await page.goto("/manager");
  await workerReady(page);
  await page.reload();
  await page.getByText("node: de01").waitFor();
  expect(await page.getByText(/last known, /).count()).toBe(0);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText("node: de01").waitFor();
  await page.getByText(/last known, /).waitFor();
  expect(complaints).toEqual([]);
});

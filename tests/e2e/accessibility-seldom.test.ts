/** States that few people ever see, as `accessibility.test.ts` looks at the others. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { PeerUpdate } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { ended, type Participant, peerUpdate, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { holdThenRefuse, lookingAt, nothing, openLooking } from "./look.ts";
import { listed, popup, visitMap } from "./map-visit.ts";
import { fill, next, submit } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function deploy(changes: Partial<PeerUpdate>): Promise<string> {
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate(changes)]);
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
  return taskID;
}

async function refuse(page: Page, { path }: { readonly path: string }, status: number): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: { message: "Not now." } }));
}

test.each(["/register", "/forgotPassword"])("too many mails, at %s", async (path) => {
  const { page, look, found } = await openLooking(browser, server.url);
  await refuse(page, calls.sendEmailVerification, 429);
  await page.goto(path);
  await fill(page, { ASN: "4242420001" });
  await page.getByRole("button", { name: "Next" }).click();
  await look("too many", page.getByText("Too many requests, please wait and try again later."));
  expect(found()).toEqual(nothing);
});

test("a peering that was changed elsewhere while its form was open", async () => {
  await deploy({ node: "de01" });
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await page.goto("/manager/updatepeer/edit?node=de01");
  await page.getByRole("heading", { name: "BGP details" }).waitFor();
  await next(page);
  await fill(page, { Port: "4000" });
  await deploy({ node: "de01", remote_port: "5000" });
  await next(page);
  await submit(page);
  await look("conflict", page.getByRole("button", { name: "Keep mine" }));
  await refuse(page, calls.getPeerConfig, 500);
  await page.getByRole("button", { name: "Keep mine" }).click();
  await look("choice failed", page.getByText("The current version could not be loaded."));
  expect(found()).toEqual(nothing);
});

test("a deployment whose config cannot be loaded", async () => {
  const taskID = await deploy({ node: "syd01" });
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await refuse(page, calls.getPeerConfig, 500);
  await page.goto(`/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=${taskID}`);
  await look("no config", page.getByText("The peering is deployed, but its config could not be loaded."));
  expect(found()).toEqual(nothing);
});

test("a peering with every node, and none with one", async () => {
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await page.goto("/manager?node=ny01");
  await look("no peering", page.getByText("You have no peering on this node."));
  await page.route(`**${calls.getPeeredNodes.path}`, (route) =>
    route.fulfill({ json: ["syd01", "per01", "sin01", "de01", "ny01", "za01"] }),
  );
  await page.goto("/manager/updatepeer/new");
  await look("all peered", page.getByText("You peer with every node already."));
  expect(found()).toEqual(nothing);
});

test("advertised routes that the node does not tell", async () => {
  await deploy({ node: "per01" });
  const { page, look, found } = await openLooking(browser, server.url, participant);
  await refuse(page, calls.getPeerAdvertisedRoutes, 500);
  await page.goto("/manager?node=per01&tab=troubleshooting");
  await page.getByRole("button", { name: "Routes advertised to you" }).click();
  await look("failed", page.getByRole("dialog").getByText("Failed!"));
  expect(found()).toEqual(nothing);
});

test("the map before anything is known of the links", async () => {
  const { page, complaints, [Symbol.asyncDispose]: close } = await visitMap(browser, server.url);
  onTestFinished(close);
  const release = await holdThenRefuse(page, calls.mapVPNStatus);
  const { look, faults } = lookingAt(page);
  await page.goto("/map");
  await look("waiting", listed(page, "za01"));
  await listed(page, "za01").click();
  await look("popup, waiting", popup(page).getByText("Loading links…"));
  release();
  await look("refused", page.getByText("The state of the links is not known."));
  expect({ faults, complaints }).toEqual(nothing);
});

/**
 * What is on its way or did not come, screen by screen: reads that are waited for and refused, and questions that
 * end badly, as `accessibility.test.ts` looks at what went well.
 */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { ended, type Participant, peerUpdate, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { holdThenRefuse, nothing, openLooking } from "./look.ts";
import { fill, fillToConfirm, submit } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate()]);
  expect(await ended(participant, taskID)).toMatchObject({ status: "success" });
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const openTab = (page: Page, tab: string) => page.goto(`/manager?node=syd01&tab=${tab}`);

/** Each read of the signed-in screens: where it is shown, and the words for its two bad states. */
const reads = [
  ["dashboard", "/manager", calls.getPeerStatus, "The state of your peerings could not be loaded."],
  ["overview", "/manager?node=syd01", calls.getPeerStatus, "The state of this peering could not be loaded."],
  ["node card", "/manager?node=syd01", calls.getNodeStatus, "The node's state could not be loaded."],
  ["details", "/manager?node=syd01&tab=details", calls.getPeerDetails, "output could not be loaded."],
  ["edit tab", "/manager?node=syd01&tab=edit", calls.getPeerConfig, "configuration could not be loaded."],
  ["node status", "/manager?view=nodes", calls.getPeeredNodes, "could not be loaded."],
  ["node step", "/manager/updatepeer/new", calls.getNodesList, "The nodes could not be loaded."],
  ["edit", "/manager/updatepeer/edit?node=syd01", calls.getPeerConfig, "configuration could not be loaded."],
] as const;

test("reads that are waited for and then refused", { timeout: 240_000 }, async () => {
  const { page, look, found } = await openLooking(browser, server.url, participant);
  for (const [screen, path, call, failed] of reads) {
    const release = await holdThenRefuse(page, call);
    await page.goto(path);
    await look(`${screen}, loading`, page.locator("main [role=status], main [aria-busy=true]"));
    release();
    await look(`${screen}, failed`, page.getByText(failed));
    await page.unrouteAll({ behavior: "wait" });
  }
  expect(found()).toEqual(nothing);
});

/** Each act that the server is asked for: how it is begun, what shows that it is waited for, and that it failed. */
const acts = [
  {
    act: "delete dialog",
    call: calls.deletePeer,
    begin: async (page: Page) => {
      await openTab(page, "edit");
      await press(page, "Delete peering");
      await press(page, "Yes");
    },
    failed: "Failed to delete the peering.",
  },
  {
    act: "delete step",
    call: calls.deletePeer,
    begin: async (page: Page) => {
      await page.goto("/manager/updatepeer/delete?node=syd01");
      await press(page, "Yes");
    },
    failed: "Failed to delete the peering.",
  },
  {
    act: "submit",
    call: calls.updatePeerConfig,
    begin: async (page: Page) => {
      await fillToConfirm(page, "per01", "172.20.1.5");
      await submit(page);
    },
    failed: "Possible causes",
  },
  {
    act: "ping",
    call: calls.pingCheck,
    begin: async (page: Page) => {
      await openTab(page, "troubleshooting");
      await press(page, "IPv4 Ping Check");
    },
    failed: "Failed!",
  },
  {
    act: "received routes",
    call: calls.getPeerReceivedRoutes,
    begin: async (page: Page) => {
      await openTab(page, "troubleshooting");
      await press(page, "Routes received from you");
    },
    failed: "Failed!",
  },
  {
    act: "restart",
    call: calls.restartBGPPeer,
    begin: async (page: Page) => {
      await openTab(page, "troubleshooting");
      await press(page, "Restart BGP");
    },
    failed: "Failed!",
  },
  {
    act: "contact",
    call: calls.submitContactForm,
    begin: async (page: Page) => {
      await page.goto("/manager?view=contact");
      await fill(page, { "Your name": "A", "Your email address": "a@example.org", "Your message": "Hello" });
      await submit(page);
    },
    failed: "Failed to submit message.",
  },
  {
    act: "logout",
    call: calls.logout,
    begin: async (page: Page) => {
      await page.goto("/manager");
      await press(page, "Logout");
    },
    failed: "Go to Peering Manager",
  },
  {
    act: "login",
    call: calls.login,
    begin: async (page: Page) => {
      await page.goto("/login");
      await fill(page, { ASN: "4242420001", Password: "any" });
      await press(page, "Login");
    },
    failed: "An error occured. Please try again.",
  },
  {
    act: "register",
    call: calls.sendEmailVerification,
    begin: async (page: Page) => {
      await page.goto("/register");
      await fill(page, { ASN: "4242420001" });
      await page.getByRole("button", { name: "Next" }).click();
    },
    failed: "There was an issue making this request.",
  },
  {
    act: "forgot password",
    call: calls.sendEmailVerification,
    begin: async (page: Page) => {
      await page.goto("/forgotPassword");
      await fill(page, { ASN: "4242420001" });
      await page.getByRole("button", { name: "Next" }).click();
    },
    failed: "There was an issue making this request.",
  },
  {
    act: "set password",
    call: calls.setPassword,
    begin: async (page: Page) => {
      await page.goto("/setPassword?token=given");
      await fill(page, { Password: "a long sentence", "Confirm password": "a long sentence" });
      await submit(page);
    },
    failed: "There was an issue with making this request.",
  },
] as const;

test.each(acts)("$act, waited for and then refused", async ({ act, call, begin, failed }) => {
  const { page, look, found } = await openLooking(browser, server.url, participant);
  // Wide enough for the menu to stand open.
  await page.setViewportSize({ width: 1280, height: 900 });
  const release = await holdThenRefuse(page, call);
  await begin(page);
  await look(`${act}, waiting`, page.locator("[aria-busy=true], [role=status]:not(:empty)"));
  release();
  await look(`${act}, failed`, page.getByText(failed));
  expect(found()).toEqual(nothing);
});

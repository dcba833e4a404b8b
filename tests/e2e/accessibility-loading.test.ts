/**
 * Pending and failed requests of every screen, reads and actions, audited like the states in `accessibility.test.ts`: a
 * third with each commit. One page goes through all of them.
 */
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { shareOfCommit } from "../support/share-of-commit.ts";
import { useDemo } from "./demo-scene.ts";
import { holdThenRefuse, openAudited, openMenu, openScreen } from "./axe-audit.ts";
import { fill, fillToConfirm, submit } from "./wizard.ts";

const demo = useDemo({ peerings: ["syd01"] });

interface Waiting {
  readonly state: string;
  readonly path: string;
  /** Whether the app is loaded again, because its memory already has the response or an error. */
  readonly reloads?: true;
  /** Whether the browser has no login session, and loads the app again. */
  readonly isAnonymous?: true;
  readonly call: { readonly path: string };
  /** Starts the request; without it, the screen does so when it opens. */
  readonly start?: (page: Page) => Promise<void>;
  /** Shows the element that waits, which the width hides. */
  readonly show?: (page: Page) => Promise<void>;
  /** The text when the request fails. */
  readonly failed: string;
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const pressButton = (name: string) => (page: Page) => press(page, name);

async function requestMail(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Next" }).waitFor();
  await fill(page, { ASN: "4242420001" });
  await press(page, "Next");
}

const troubleshooting = "/manager?node=syd01&tab=troubleshooting";

/** The order is one in which the screens' other data is loaded, and the logout comes after what needs a login. */
const states: readonly Waiting[] = [
  {
    state: "dashboard",
    path: "/manager",
    reloads: true,
    call: calls.getPeerStatus,
    failed: "The status of your peerings could not be loaded.",
  },
  {
    state: "overview",
    path: "/manager?node=syd01",
    reloads: true,
    call: calls.getPeerStatus,
    failed: "The status of this peering could not be loaded.",
  },
  {
    state: "node card",
    path: "/manager?node=syd01",
    reloads: true,
    call: calls.getNodeStatus,
    failed: "The node's status could not be loaded.",
  },
  {
    state: "details",
    path: "/manager?node=syd01&tab=details",
    call: calls.getPeerDetails,
    failed: "output could not be loaded.",
  },
  {
    state: "edit tab",
    path: "/manager?node=syd01&tab=edit",
    // The status tab has loaded the configuration, too.
    reloads: true,
    call: calls.getPeerConfig,
    failed: "configuration could not be loaded.",
  },
  {
    state: "node step",
    path: "/manager/updatepeer/new",
    call: calls.getNodesList,
    failed: "The nodes could not be loaded.",
  },
  {
    state: "node status",
    path: "/manager?view=nodes",
    reloads: true,
    call: calls.getPeeredNodes,
    failed: "Your peerings could not be loaded.",
  },
  {
    state: "edit",
    path: "/manager/updatepeer/edit?node=syd01",
    reloads: true,
    call: calls.getPeerConfig,
    failed: "configuration could not be loaded.",
  },
  {
    state: "delete dialog",
    path: "/manager?node=syd01&tab=edit",
    reloads: true,
    call: calls.deletePeer,
    start: async (page) => {
      await press(page, "Delete peering");
      await press(page, "Yes");
    },
    failed: "Failed to delete the peering.",
  },
  {
    state: "delete step",
    path: "/manager/updatepeer/delete?node=syd01",
    call: calls.deletePeer,
    start: pressButton("Yes"),
    failed: "Failed to delete the peering.",
  },
  {
    state: "ping",
    path: troubleshooting,
    call: calls.pingCheck,
    start: pressButton("IPv6 Ping Check"),
    failed: "Failed!",
  },
  {
    state: "received routes",
    path: troubleshooting,
    call: calls.getPeerReceivedRoutes,
    start: pressButton("Routes received from you"),
    failed: "Failed!",
  },
  {
    state: "restart",
    path: troubleshooting,
    call: calls.restartBGPPeer,
    start: pressButton("Restart BGP"),
    failed: "Failed!",
  },
  {
    state: "submit",
    path: "/manager/updatepeer/new",
    call: calls.updatePeerConfig,
    start: async (page) => {
      await fillToConfirm(page, "per01", "172.20.1.5");
      await submit(page);
    },
    failed: "Possible causes",
  },
  {
    state: "contact",
    path: "/manager?view=contact",
    call: calls.submitContactForm,
    start: async (page) => {
      await fill(page, { "Your name": "A", "Your email address": "a@example.org", "Your message": "Hello" });
      await submit(page);
    },
    failed: "Failed to submit message.",
  },
  {
    state: "logout",
    path: "/manager",
    call: calls.logout,
    start: async (page) => {
      await openMenu(page);
      await press(page, "Logout");
    },
    show: openMenu,
    failed: "The server could not log you out",
  },
  {
    state: "register",
    path: "/register",
    isAnonymous: true,
    call: calls.sendEmailVerification,
    start: requestMail,
    failed: "There was an issue making this request.",
  },
  {
    state: "login",
    path: "/login",
    isAnonymous: true,
    call: calls.login,
    start: async (page) => {
      await fill(page, { Password: "any", ASN: "4242420001" });
      await press(page, "Login");
    },
    failed: "An error occured. Please try again.",
  },
  {
    state: "forgot password",
    path: "/forgotPassword",
    isAnonymous: true,
    call: calls.sendEmailVerification,
    start: requestMail,
    failed: "There was an issue making this request.",
  },
  {
    state: "set password",
    path: "/setPassword?token=given",
    isAnonymous: true,
    call: calls.setPassword,
    start: async (page) => {
      await fill(page, { Password: "a long sentence", "Confirm password": "a long sentence" });
      await submit(page);
    },
    failed: "There was an issue with making this request.",
  },
];

test("requests that are pending and then rejected", { timeout: 240_000 }, async () => {
  expect.hasAssertions();
  const { page, audit } = await openAudited(demo.url, demo.participant);
  await page.goto("/manager/settings");
  let left = page.locator("main:empty");
  for (const { state, path, isAnonymous, reloads, call, start, show, failed } of shareOfCommit(states)) {
    const release = await holdThenRefuse(page, call);
    if (isAnonymous) await page.context().clearCookies();
    await ((isAnonymous ?? reloads) ? page.goto(path) : openScreen(page, path));
    await left.waitFor({ state: "hidden" });
    await start?.(page);
    const waiting = page.locator(
      start ? "[aria-busy=true], [role=status]:not(:empty)" : "main [role=status], main [aria-busy=true]",
    );
    await audit(`${state}, waiting`, waiting, show);
    release();
    left = page.getByText(failed).first();
    await audit(`${state}, failed`, left, show);
    await page.unrouteAll({ behavior: "wait" });
    // Closes a dialog.
    await page.keyboard.press("Escape");
  }
});

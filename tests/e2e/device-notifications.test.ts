/**
 * Deployments that run while another screen, or no page, is open, and alerts after the browser has changed its push
 * subscription, or the server has lost it. They need the complete browser.
 */
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { livePath } from "../../src/contract/live-events.ts";
import { logIn, setNodeMode, submitPeering, waitForTask } from "../integration/server/participant.ts";
import { browserSubscription } from "../integration/push/browser.ts";
import { useDemo } from "./demo-scene.ts";
import { installDevice } from "./installed-device.ts";
import { findInStorage } from "./storage-dump.ts";
import {
  clickNotification,
  countNotifications,
  createPushSender,
  renewSubscription,
  stubPushService,
  shownNotifications,
  waitForNotifications,
} from "./push.ts";

const elsewhere = "/manager?view=contact";
/** Contexts of a test's browser are incognito, which Chrome reports at every push subscription. */
const noPushHere = "does not support the Push API in incognito mode";
const screenOf = (taskID: string) =>
  `/manager/updatepeer/edit?node=de01&step=awaitingDeployment&task=${taskID}`;

/** Not the AS of the hints in forms. */
const demo = useDemo({ asn: "4242420003", waitMs: 600_000 });

/** A device with the app installed and the permission to notify, behind a network proxy. */
async function device(path: string) {
  const installed = await installDevice(demo.url, path, {
    program: "complete",
    as: demo.participant,
    permissions: ["notifications"],
  });
  const { page, proxy, consoleErrors } = installed;
  onTestFinished(async () => {
    await installed[Symbol.asyncDispose]();
    expect(consoleErrors.filter((complaint) => !complaint.includes(noPushHere))).toEqual([]);
  });
  // From here on the worker handles every request of the page.
  await page.reload();
  await countNotifications(page.context());
  return {
    page,
    proxy,
    open: async (at: string) => {
      const tab = await page.context().newPage();
      await tab.goto(at);
      return tab;
    },
  };
}

/** A deployment that waits for its node until `end` is called. */
async function waitingDeployment() {
  await setNodeMode(demo.url, "de01", "offline");
  const taskID = await submitPeering(demo.participant, "de01");
  const end = async () => {
    await setNodeMode(demo.url, "de01", "normal");
    return waitForTask(demo.participant, taskID);
  };
  onTestFinished(() => setNodeMode(demo.url, "de01", "normal"));
  return { taskID, end };
}

const successOf = (taskID: string) => ({
  type: "deployment" as const,
  username: demo.participant.asn,
  taskID,
  node: "de01",
  kind: "deploy" as const,
  status: "success" as const,
});

const notice = (page: Page) =>
  page.getByRole("region", { name: "Finished deployments" }).getByText(/Your peering is deployed to de01/);

const isPoll = (request: { readonly url: () => string }) => request.url().endsWith(calls.getTaskStatus.path);

/** Only the leader tab subscribes to the event stream. */
const isLive = (request: { readonly url: () => string }) => request.url().endsWith(livePath);

/** Counts the polls of a tab from now on. */
function countPolls(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (isPoll(request)) count += 1;
  });
  return () => count;
}

/** Advances all tabs of this browser to the next poll, and waits for the response to the poll of this tab. */
async function nextPoll(page: Page): Promise<void> {
  const [poll] = await Promise.all([page.waitForRequest(isPoll), page.clock.fastForward("00:05")]);
  await poll.response();
}

test("two tabs poll once, both show the end, and a click on the only notification opens its screen", async () => {
  const { taskID, end } = await waitingDeployment();
  const { page: first, open } = await device("/manager");
  await first.clock.install();
  await first.reload();
  await first.waitForRequest(isPoll);
  const stops = first.waitForEvent("requestfailed", isLive);
  const second = await open(elsewhere);
  await stops;
  const countFirst = countPolls(first);
  for (let times = 0; times < 3; times += 1) await nextPoll(second);
  expect(countFirst()).toBe(0);

  const leads = first.waitForRequest(isLive);
  await second.close();
  await leads;
  await nextPoll(first);
  const again = await open(elsewhere);
  await again.getByRole("heading", { name: "Contact" }).waitFor();
  await end();
  await notice(again).waitFor();
  await first.getByText("OK", { exact: true }).waitFor();
  const context = first.context();
  expect(await waitForNotifications(context, 1)).toEqual([
    {
      title: "Deployed to de01.demo.dn42",
      tag: taskID,
      path: screenOf(taskID),
      silent: false,
      pictures: ["/icons/app-192.png", "/icons/badge-96.png"],
    },
  ]);
  await first.close();
  expect(await clickNotification(context)).toBeNull();
  await again.getByRole("heading", { name: "Success!" }).waitFor();
  const { pathname, search } = new URL(again.url());
  expect(pathname + search).toBe(screenOf(taskID));
  expect(await shownNotifications(context)).toEqual([]);
});

test("a push message shows the end while no page is open, and the page that opens next does not repeat it", async () => {
  const { taskID, end } = await waitingDeployment();
  const { page, proxy, open } = await device(elsewhere);
  await page.waitForRequest(isPoll);
  const context = page.context();
  const push = await createPushSender(context, proxy.url);
  await page.close();
  await end();
  await push(successOf(taskID));
  const [notification] = await waitForNotifications(context, 1);
  expect(notification).toMatchObject({
    title: "Deployed to de01.demo.dn42",
    tag: taskID,
    path: screenOf(taskID),
  });
  expect(await clickNotification(context)).toBe(screenOf(taskID));

  const later = await open(elsewhere);
  await notice(later).waitFor();
  await push(successOf(taskID));
  // A later message is shown, so the earlier ones have been handled.
  await push(successOf("another"));
  expect((await waitForNotifications(context, 2)).map(({ tag }) => tag)).toEqual(["another"]);
});

const expectOn = (page: Page) => page.getByRole("switch", { name: "Sessions", checked: true }).waitFor();

test("alerts that were switched on stay on when the subscription is lost, return with a login, and are forgotten at logout", async () => {
  const { asn: username } = demo.participant;
  const session = await logIn(demo.url, username);
  const installed = await installDevice(demo.url, "/about", {
    program: "complete",
    as: session,
    permissions: ["notifications"],
  });
  onTestFinished(() => installed[Symbol.asyncDispose]());
  const { page: first } = installed;
  const context = first.context();
  await stubPushService(context, browserSubscription());
  await first.goto("/manager/settings");
  await first.getByRole("switch", { name: "Sessions" }).click();
  await expectOn(first);

  await session.call(calls.deletePushSubscription, { username });
  await first.reload();
  await expectOn(first);
  await session.call(calls.deletePushSubscription, { username });
  await first.close();
  await renewSubscription(context, browserSubscription());
  const { subscription } = await session.call(calls.getPushSettings, { username });
  expect(subscription?.alerts).toBe(true);

  await session.call(calls.logout, undefined);
  const page = await context.newPage();
  await page.goto("/manager/settings");
  await page.getByLabel("ASN").fill(username);
  await page.getByLabel("Password").fill("a sentence for the tests");
  await page.getByRole("button", { name: "Login" }).click();
  await expectOn(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
  expect(await findInStorage(page, [username])).toEqual([]);
});

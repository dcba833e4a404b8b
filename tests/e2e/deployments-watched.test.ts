/** Deployments that go on while people look elsewhere, in the browser with its worker and against the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { livePath } from "../../src/contract/live.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import {
  ended,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { installedDevice } from "./device.ts";
import type { Line } from "./line.ts";
import { foundIn } from "./kept.ts";
import { clickNotification, pushTo, showing, shown, subscribedAt } from "./push.ts";
import { next, submit } from "./wizard.ts";

const elsewhere = "/manager?view=contact";
/** Contexts of a test's browser are incognito, of which Chrome says so whenever somebody subscribes. */
const noPushHere = "does not support the Push API in incognito mode";
const screenOf = (taskID: string) =>
  `/manager/updatepeer/edit?node=de01&step=awaitingDeployment&task=${taskID}`;

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ waitMs: 600_000 }), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

interface Device {
  readonly page: Page;
  readonly line: Line;
  readonly open: (path: string) => Promise<Page>;
}

/** A device with the app installed, and the permission to notify, over a line that the test can cut. */
async function device(path: string): Promise<Device> {
  const installed = await installedDevice(browser, server.url, path, {
    as: participant,
    permissions: ["notifications"],
  });
  const { page, line, complaints } = installed;
  onTestFinished(async () => {
    await installed[Symbol.asyncDispose]();
    expect(complaints.filter((complaint) => !complaint.includes(noPushHere))).toEqual([]);
  });
  // From here on the worker has seen everything that the page asked for.
  await page.reload();
  return {
    page,
    line,
    open: async (at) => {
      const tab = await page.context().newPage();
      await tab.goto(at);
      return tab;
    },
  };
}

/** A deployment that waits for its node until `end`. */
async function waitingDeployment() {
  await setNodeMode(server.url, "de01", "offline");
  const { asn: username, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "de01" })]);
  const end = async () => {
    await setNodeMode(server.url, "de01", "normal");
    return ended(participant, taskID);
  };
  onTestFinished(() => setNodeMode(server.url, "de01", "normal"));
  return { taskID, end };
}

const successOf = (taskID: string) => ({
  type: "deployment" as const,
  username: participant.asn,
  taskID,
  node: "de01",
  kind: "deploy" as const,
  status: "success" as const,
});

const notice = (page: Page) =>
  page.getByRole("region", { name: "Ended deployments" }).getByText(/Your peering is deployed to de01/);

const isPoll = (request: { readonly url: () => string }) => request.url().endsWith(calls.getTaskStatus.path);

/** Only the tab that asks for all of them listens to the stream. */
const isLive = (request: { readonly url: () => string }) => request.url().endsWith(livePath);

/** Counts the polls of a tab from now on. */
function countPolls(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (isPoll(request)) count += 1;
  });
  return () => count;
}

/** Lets the time to the next poll pass, in all tabs of this browser, and waits for the answer to that of this one. */
async function nextPoll(page: Page): Promise<void> {
  const [poll] = await Promise.all([page.waitForRequest(isPoll), page.clock.fastForward("00:05")]);
  await poll.response();
}

describe("a deployment that was begun elsewhere", () => {
  test("is told on any screen after a reload, once, and a click opens its screen", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page } = await device(elsewhere);
    await page.waitForRequest(isPoll);
    await page.reload();
    await page.getByRole("heading", { name: "Contact" }).waitFor();
    await end();
    await notice(page).waitFor();
    const context = page.context();
    expect(await showing(context, 1)).toEqual([
      {
        title: "Deployed to de01.demo.dn42",
        tag: taskID,
        path: screenOf(taskID),
        silent: false,
        pictures: ["/icons/app-192.png", "/icons/badge-96.png"],
      },
    ]);
    expect(await clickNotification(context)).toBeNull();
    await page.getByRole("heading", { name: "Success!" }).waitFor();
    const { pathname, search } = new URL(page.url());
    expect(pathname + search).toBe(screenOf(taskID));
    expect(await shown(context)).toEqual([]);
  });

  test("goes on where the server comes back after a while", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page, line } = await device(screenOf(taskID));
    await page.clock.install();
    await page.reload();
    await page.getByText("waiting", { exact: true }).waitFor();
    await nextPoll(page);
    line.set("down");
    await nextPoll(page);
    await page.getByText("The last check got no answer.", { exact: false }).waitFor();
    await end();
    line.set("up");
    await nextPoll(page);
    await page.getByRole("heading", { name: "Success!" }).waitFor();
    expect((await showing(page.context(), 1))[0]?.tag).toBe(taskID);
  });
});

const port = (page: Page) => page.getByLabel("Port", { exact: true });

/** The deployment to de01 succeeds while another screen is open. */
async function endElsewhere(page: Page): Promise<void> {
  await page.goto(elsewhere);
  await page.getByRole("heading", { name: "Contact" }).waitFor();
  await setNodeMode(server.url, "de01", "normal");
  await notice(page).waitFor();
}

describe("the draft of a deployment, on the device,", () => {
  const edit = "/manager/updatepeer/edit?node=de01&step=enterDetails";

  /** Submits another port, and leaves the form while its node does not answer. */
  async function submitted(): Promise<Page> {
    const { asn: username, call } = participant;
    const { taskID } = await call(calls.updatePeerConfig, [{ username }, peerUpdate({ node: "de01" })]);
    await ended(participant, taskID);
    const { page } = await device(edit);
    await setNodeMode(server.url, "de01", "offline");
    onTestFinished(() => setNodeMode(server.url, "de01", "normal"));
    await port(page).fill("51831");
    await next(page);
    await submit(page);
    await page.getByText("waiting", { exact: true }).waitFor();
    await page.goto(edit);
    await page.getByText("This is what you entered before.").waitFor();
    return page;
  }

  test("goes when that has succeeded", async () => {
    const page = await submitted();
    await endElsewhere(page);
    await expect.poll(() => foundIn(page, ['"draft"'])).toEqual([]);
    await page.goto(edit);
    expect(await port(page).inputValue()).toBe("51831");
    expect(await page.getByText("This is what you entered before.").count()).toBe(0);
  });

  test("stays where it was changed since", async () => {
    const page = await submitted();
    await port(page).fill("51832");
    await expect.poll(() => foundIn(page, ["51832"])).not.toEqual([]);
    await endElsewhere(page);
    await page.goto(edit);
    expect(await port(page).inputValue()).toBe("51832");
  });
});

describe("two tabs", () => {
  test("poll once, both see the end, and one notification tells it", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page: former, open } = await device("/manager");
    await former.clock.install();
    await former.reload();
    await former.waitForRequest(isPoll);
    const stops = former.waitForEvent("requestfailed", isLive);
    const latter = await open(screenOf(taskID));
    await stops;
    const ofFormer = countPolls(former);
    for (let times = 0; times < 3; times += 1) await nextPoll(latter);
    expect(ofFormer()).toBe(0);

    const leads = former.waitForRequest(isLive);
    await latter.close();
    await leads;
    await nextPoll(former);
    const again = await open(screenOf(taskID));
    await again.getByText("waiting", { exact: true }).waitFor();
    await end();
    await again.getByRole("heading", { name: "Success!" }).waitFor();
    await former.getByText("OK", { exact: true }).waitFor();
    await showing(former.context(), 1);
  });
});

test("the answer to one tab's poll ends the screens of all while the stream of events says nothing", async () => {
  const { taskID, end } = await waitingDeployment();
  const { page: former, line, open } = await device(screenOf(taskID));
  line.set("hangs", livePath);
  await Promise.all([former.waitForRequest(isLive), former.reload()]);
  const stops = former.waitForEvent("requestfailed", isLive);
  const latter = await open(screenOf(taskID));
  await stops;
  const ofFormer = countPolls(former);
  await end();
  for (const page of [former, latter]) await page.getByRole("heading", { name: "Success!" }).waitFor();
  expect(ofFormer()).toBe(0);
});

test("the stream of events ends the screens of all tabs while no poll is answered", async () => {
  const { taskID, end } = await waitingDeployment();
  const { page: former, line, open } = await device(screenOf(taskID));
  const streaming = former
    .context()
    .waitForEvent(
      "response",
      (answer) => answer.url().endsWith(livePath) && answer.frame().page() !== former,
    );
  const latter = await open(screenOf(taskID));
  await streaming;
  for (const page of [former, latter]) await page.getByText("waiting", { exact: true }).waitFor();
  line.set("hangs", calls.getTaskStatus.path);
  await end();
  for (const page of [former, latter]) {
    await page.getByRole("heading", { name: "Success!" }).waitFor();
    expect(new URL(page.url()).searchParams.get("task")).toBe(taskID);
  }
});

describe("a push message", () => {
  test("tells the end while no page is open, and the page that opens then does not tell it again", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page, line, open } = await device(elsewhere);
    await page.waitForRequest(isPoll);
    const context = page.context();
    const push = await pushTo(context, line.url);
    await page.close();
    await end();
    await push(successOf(taskID));
    const [told] = await showing(context, 1);
    expect(told).toMatchObject({ title: "Deployed to de01.demo.dn42", tag: taskID, path: screenOf(taskID) });
    expect(await clickNotification(context)).toBe(screenOf(taskID));

    const later = await open(elsewhere);
    await notice(later).waitFor();
    await push(successOf(taskID));
    // What comes after it is shown, so what came before has been looked at.
    await push(successOf("another"));
    expect((await showing(context, 1))[0]?.tag).toBe("another");
  });

  test("has the state of the peerings ready for a device that is offline by then", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page, line, open } = await device(elsewhere);
    const context = page.context();
    const push = await pushTo(context, line.url);
    await page.close();
    await end();
    await push(successOf(taskID));
    await showing(context, 1);
    await context.setOffline(true);
    const later = await open("/manager");
    await later.getByText("node: de01").waitFor();
    expect(await later.getByText("OK", { exact: true }).count()).toBe(1);
  });

  test("that comes after the page has told it tells nothing", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page, line } = await device(elsewhere);
    const context = page.context();
    const push = await pushTo(context, line.url);
    await end();
    await notice(page).waitFor();
    await showing(context, 1);
    await clickNotification(context);
    await push(successOf(taskID));
    await push(successOf("another"));
    expect((await showing(context, 1))[0]?.tag).toBe("another");
  });

  test("that comes after the page has told it shows it again without a sound where the push service is Apple's", async () => {
    const { taskID, end } = await waitingDeployment();
    const { page, line } = await device(elsewhere);
    const context = page.context();
    const push = await pushTo(context, line.url);
    await subscribedAt(context, "https://web.push.apple.com/QGRsZXQ");
    await end();
    await notice(page).waitFor();
    const [told] = await showing(context, 1);
    await clickNotification(context);
    expect(await shown(context)).toEqual([]);
    for (let times = 0; times < 2; times += 1) {
      await push(successOf(taskID));
      expect(await showing(context, 1)).toEqual([{ ...told, silent: true }]);
    }
    await push({ ...successOf("of somebody else"), username: "4242420002" });
    await push(successOf("another"));
    const all = await showing(context, 2);
    expect(new Map(all.map(({ tag, silent }) => [tag, silent]))).toEqual(
      new Map([
        [taskID, true],
        ["another", false],
      ]),
    );
  });

  test("opens a window for the click where only a page is open that is none of the app's", async () => {
    const { page, line } = await device(elsewhere);
    const context = page.context();
    const push = await pushTo(context, line.url);
    await page.goto("/demo/outbox");
    await push(successOf("another"));
    await showing(context, 1);
    expect(await clickNotification(context)).toBe(screenOf("another"));
  });

  test("for another AS, or that nobody can read, shows nothing", async () => {
    const { page, line } = await device(elsewhere);
    const push = await pushTo(page.context(), line.url);
    await push({ ...successOf("of somebody else"), username: "4242420002" });
    await push("{}");
    await push("no JSON");
    await push(successOf("of their own"));
    const all = await showing(page.context(), 1);
    expect(all.map(({ tag }) => tag)).toEqual(["of their own"]);
  });

  test("of a session takes the place of the former", async () => {
    const { page, line } = await device(elsewhere);
    const push = await pushTo(page.context(), line.url);
    const session = {
      type: "session" as const,
      username: participant.asn,
      node: "de01",
      at: 1_763_694_000_000,
    };
    await push({ ...session, change: "down" });
    expect((await showing(page.context(), 1))[0]?.title).toBe("BGP session on de01.demo.dn42 is down");
    await push({ ...session, change: "up" });
    await push({ ...session, node: "syd01", change: "unsteady" });
    const all = await showing(page.context(), 2);
    expect(new Map(all.map(({ title, path }) => [title, path]))).toEqual(
      new Map([
        ["BGP session on de01.demo.dn42 is back", "/manager?node=de01"],
        ["BGP session on syd01.demo.dn42 is unsteady", "/manager?node=syd01"],
      ]),
    );
  });
});

test("a browser whose push service does not answer is told so, and goes without", async () => {
  const { page } = await device("/manager");
  const panel = page.getByRole("region", { name: "Notifications" });
  await panel.getByText("This browser's push service could not be reached", { exact: false }).waitFor();
  expect(await panel.getByRole("switch", { name: "Deployments" }).isChecked()).toBe(true);
  expect(await panel.getByRole("switch", { name: "Sessions" }).isDisabled()).toBe(true);
  await panel.getByRole("switch", { name: "Deployments" }).click();
  await panel.getByText("Off on this device.").waitFor();
});

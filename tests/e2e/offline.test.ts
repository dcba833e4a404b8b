/** The app without a network, and with one that hangs, in the browser and against the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
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
import { visit } from "./visit.ts";
import { answer, chooseNode, fill, next } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001", "a sentence for the tests");
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node: "de01" })]);
  await ended(participant, taskID);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

interface Device {
  readonly page: Page;
  readonly line: Line;
}

/** A device over a line that the test can cut, with the app installed by a first visit to `path`. */
async function firstVisit(path: string, as?: Participant): Promise<Device> {
  const { close, ...device } = await install(path, as);
  onTestFinished(close);
  return device;
}

async function install(
  path: string,
  as?: Participant,
): Promise<Device & { readonly close: () => Promise<void> }> {
  const device = await installedDevice(browser, server.url, path, as && { as });
  const { page, line, complaints } = device;
  return {
    page,
    line,
    close: async () => {
      await device[Symbol.asyncDispose]();
      expect(complaints).toEqual([]);
    },
  };
}

const offlineLine = (page: Page) => page.getByText("No connection to the server.", { exact: false });
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

describe("after a first visit to the front page alone", () => {
  let page: Page;
  let close: () => Promise<void>;

  // Once for all: without the network no screen can leave anything behind for the next one.
  beforeAll(async () => {
    const device = await install("/");
    ({ page, close } = device);
    device.line.set("down");
  });
  afterAll(() => close());

  test.each([
    ["/", /^Peer with/],
    ["/?ref=dn42.eu", /^Peer with/],
    ["/status", "Status"],
    ["/map", "Map"],
    ["/about", /^About/],
    ["/not-found", /404/],
    ["/nowhere", /404/],
    ["/login", "Login page"],
    ["/login?tab=resetPassword", /./],
    ["/register", "Register"],
    ["/setPassword?token=abc", /password/i],
    ["/forgotPassword", "Password Reset"],
    ["/manager", "Login page"],
    ["/manager?node=a.b", "Login page"],
    ["/manager/updatepeer/new", "Login page"],
    ["/manager/updatepeer/edit?node=de01", "Login page"],
  ])("%s opens without the network", async (path, title) => {
    await page.goto(path);
    await heading(page, title).first().waitFor();
    await expect.poll(() => offlineLine(page).isVisible(), { timeout: 20_000 }).toBe(true);
  });

  test.each(["/status", "/map"])("%s shows the nodes as they were then", async (path) => {
    await page.goto(path);
    await page
      .getByText(/last known, \d+ s ago/)
      .first()
      .waitFor();
    expect(await page.getByText("de01").first().isVisible()).toBe(true);
  });
});

describe("what a participant has seen", () => {
  const screens = [
    ["/manager", "node: de01"],
    ["/manager?node=de01", "Hostname"],
    ["/manager?node=de01&tab=details", "interface: "],
    ["/manager?node=de01&tab=edit", "198.51.100.7"],
    ["/status", "de01"],
    ["/map", "de01"],
  ] as const;

  test("is there without the network at every deep link, with its age", async () => {
    const { page, line } = await firstVisit("/manager", participant);
    for (const [path, seen] of screens) {
      await page.goto(path);
      await page.getByText(seen).first().waitFor();
    }
    line.set("down");
    for (const [path, seen] of screens) {
      await page.goto(path);
      await expect.poll(() => page.getByText(seen).first().isVisible(), { timeout: 20_000 }).toBe(true);
      await page
        .getByText(/last known, \d+ s ago/)
        .first()
        .waitFor();
    }
  });

  test("is there when the connection hangs, and the screen mends itself when it goes on", async () => {
    const { page, line } = await firstVisit("/manager", participant);
    await page.clock.install();
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    line.set("hangs");
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    await page.getByText(/last known, /).waitFor();
    line.set("up");
    // It asks again by itself.
    await page.clock.fastForward("00:10");
    await expect.poll(() => page.getByText(/last known, /).count(), { timeout: 30_000 }).toBe(0);
    await expect.poll(() => offlineLine(page).count(), { timeout: 30_000 }).toBe(0);
  });
});

test("what a router said is there as soon as another read finds that the connection hangs", async () => {
  const { page, line } = await firstVisit("/manager?node=de01&tab=details", participant);
  await page.reload();
  await page.getByText("interface: ").waitFor();
  line.set("hangs");
  await page.getByRole("button", { name: "Refresh" }).click();
  // That of the peering's state and that of the details, in less than the time that a router gets.
  await expect.poll(() => page.getByText(/last known, /).count(), { timeout: 20_000 }).toBe(2);
  expect(await page.getByText("interface: ").count()).toBe(1);
});

test("what was kept stays where the server only says that it was asked too often", async () => {
  const other = await signUp(server.url, "4242420002");
  const whose = { username: other.asn, node: "de01" };
  const { taskID } = await other.call(calls.updatePeerConfig, [
    { username: other.asn },
    peerUpdate({ node: "de01", peer_ipv6: "fe80::2" }),
  ]);
  await ended(other, taskID);
  const { page, line } = await firstVisit("/manager?node=de01&tab=details", other);
  await page.reload();
  await page.getByText("interface: ").waitFor();
  const untilRefused = async () => {
    for (;;) await other.call(calls.getPeerDetails, whose);
  };
  await expect(untilRefused()).rejects.toMatchObject({ status: 429 });
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText(/Too many queries at once/).waitFor();
  line.set("down");
  await page.reload();
  await page.getByText("interface: ").waitFor();
});

test("a screen that asks for nothing hears of it as well, and when the line is back", async () => {
  const { page, line } = await firstVisit("/manager?view=contact", participant);
  await heading(page, "Contact").waitFor();
  const told = page.getByText(/^Sending needs the server/);
  const streams = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.reload();
  await streams;
  line.set("down");
  await told.waitFor();
  expect(await offlineLine(page).isVisible()).toBe(true);
  line.set("up");
  await told.waitFor({ state: "hidden" });
  expect(await offlineLine(page).isVisible()).toBe(false);
});

/** The node hangs until the test has ended. */
async function silence(node: string): Promise<void> {
  onTestFinished(() => setNodeMode(server.url, node, "normal"));
  await setNodeMode(server.url, node, "silent");
}

describe("a node that hangs", () => {
  test("is no lost connection, and what is asked of it alone says that it cannot be reached", async () => {
    const { page } = await firstVisit("/manager?node=de01&tab=details", participant);
    await page.reload();
    await page.getByText("interface: ").waitFor();
    await silence("de01");
    await page.reload();
    const told = page.getByText("de01 cannot be reached. Nothing was changed; try again in a minute.");
    const first = [
      told.waitFor({ timeout: 60_000 }).then(() => "told"),
      offlineLine(page)
        .waitFor({ timeout: 60_000 })
        .then(() => "no connection"),
    ];
    for (const each of first) each.catch(() => undefined);
    expect(await Promise.race(first)).toBe("told");
  });

  test("does not keep a connection that hung for lost once it goes on", async () => {
    const { page, line } = await firstVisit("/manager", participant);
    await page.clock.install();
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    await silence("de01");
    line.set("hangs", calls.getPeerStatus.path);
    await page.clock.fastForward("00:10");
    await offlineLine(page).waitFor();
    line.set("up");
    const pollAgain = async () => {
      await page.clock.fastForward("00:10");
      return offlineLine(page).count();
    };
    // Longer than the server waits for the node, so that each poll is answered before the next.
    await expect.poll(pollAgain, { timeout: 40_000, interval: 3_000 }).toBe(0);
  });
});

describe("what needs the server says so", () => {
  test("a screen that was never seen", async () => {
    const { page, line } = await firstVisit("/manager", participant);
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    line.set("down");
    await page.goto("/manager?node=de01&tab=edit");
    const told = page.getByText(/The server could not be reached/);
    await expect.poll(() => told.count(), { timeout: 20_000 }).toBeGreaterThan(0);
  });

  test("a screen that was never seen, where the browser knows that it is offline", async () => {
    const { page } = await firstVisit("/manager?node=de01", participant);
    await page.reload();
    await page.getByRole("tab", { name: "Detailed Info" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("tab", { name: "Detailed Info" }).click();
    await page.getByText(/The server could not be reached/).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).isEnabled()).toBe(true);
    await page.context().setOffline(false);
    await page.getByText("interface: ").waitFor();
  });

  test("a submit: nothing is sent later, and what was entered is kept over a reload", async () => {
    const { page, line } = await firstVisit("/manager/updatepeer/new", participant);
    await chooseNode(page, "syd01");
    await answer(page, /Address family/, "IPv4");
    await next(page);
    await fill(page, {
      "Public IP or hostname": "198.51.100.9",
      Port: "51820",
      "Public key": "m0VQ2VxkZsgTJf7qpEeJSCgkMvMZ5uKJ0zuE2dUcR2o=",
      "IPv4 tunnel address": "172.20.1.5",
    });
    line.set("down");
    await next(page);
    await page.getByText(/Submitting needs the server/).waitFor();
    await page.reload();
    await page.getByText("198.51.100.9").waitFor();
    await page.getByText(/Submitting needs the server/).waitFor();
    line.set("up");
    await page.reload();
    await page.getByText("198.51.100.9").waitFor();
    expect(await page.getByText(/Submitting needs the server/).count()).toBe(0);
    const { asn, call } = participant;
    expect(await call(calls.getPeeredNodes, { username: asn })).toEqual(["de01"]);
  });
});

test("a device that refuses storage shows the app all the same", async () => {
  const {
    page,
    complaints,
    [Symbol.asyncDispose]: close,
  } = await visit(browser, server.url, {
    worker: true,
    as: participant,
  });
  onTestFinished(close);
  await page.addInitScript(() => {
    const refusal = new DOMException("refused", "SecurityError");
    IDBFactory.prototype.open = () => {
      throw refusal;
    };
    const reject = () => Promise.reject(refusal);
    Object.assign(ServiceWorkerContainer.prototype, { register: reject, getRegistration: reject });
  });
  await page.goto("/manager");
  await page.getByText("node: de01").waitFor();
  await page.getByRole("button", { name: "Logout" }).click();
  await page.getByRole("link", { name: "Go to Peering Manager" }).waitFor();
  expect(complaints).toEqual([]);
});

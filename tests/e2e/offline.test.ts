/** The app without a network, and with one that hangs, against the demo. */
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { deployPeering, type Participant, setNodeMode, signUp } from "../integration/server/participant.ts";
import { longTest } from "../support/long-test.ts";
import { oneOfCommit, shareOfCommit } from "../support/share-of-commit.ts";
import { useDemo } from "./demo-scene.ts";
import { installDevice } from "./installed-device.ts";
import { offlineNotice } from "./notifications.ts";
import { dumpStorage } from "./storage-dump.ts";
import type { NetworkProxy } from "./network-proxy.ts";
import { openPage } from "./open-page.ts";
import { choose, chooseNode, fill, nextStep } from "./wizard.ts";

const demo = useDemo({ peerings: ["de01"] });

/** A device behind a network proxy, with the app installed by a first visit to `path`. */
async function install(path: string, options: Parameters<typeof installDevice>[2] = {}) {
  const device = await installDevice(demo.url, path, options);
  const close = async () => {
    await device[Symbol.asyncDispose]();
    expect(device.consoleErrors).toEqual([]);
  };
  return { page: device.page, proxy: device.proxy, close };
}

async function firstVisit(path: string, as?: Participant) {
  const device = await install(path, as && { as });
  onTestFinished(device.close);
  return device;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

describe("after a first visit to the front page alone", () => {
  let page: Page;
  let close: () => Promise<void>;

  // One page for all tests: without a network, no screen can cache anything for the next one.
  beforeAll(async () => {
    const device = await install("/");
    ({ page, close } = device);
    device.proxy.set("down");
  });
  afterAll(() => close());

  // One for each shape of path and each chunk.
  test.each(
    shareOfCommit<readonly [string, string | RegExp]>([
      ["/", /^Peer with/],
      ["/?ref=dn42.eu", /^Peer with/],
      ["/about", /^About/],
      ["/nowhere", /404/],
      ["/register", "Register"],
      ["/setPassword?token=abc", /password/i],
      ["/forgotPassword", "Password Reset"],
      ["/manager?node=a.b", "Login page"],
    ]),
  )("%s opens without the network", opens);

  test.each(
    oneOfCommit([
      ["/status", "Status"],
      ["/map", "Map"],
    ] as const),
  )("%s opens without the network, with the last known nodes", async (path, title) => {
    await opens(path, title);
    await page
      .getByText(/last known, \d+ s ago/)
      .first()
      .waitFor();
    expect(await page.getByText("de01").first().isVisible()).toBe(true);
  });

  async function opens(path: string, title: string | RegExp): Promise<void> {
    await page.goto(path);
    await heading(page, title).first().waitFor();
    await expect.poll(() => offlineNotice(page).isVisible(), { timeout: 20_000 }).toBe(true);
  }
});

longTest(
  "an unknown path with a dot leads to /not-found with the worker too, and a file of the server opens",
  async () => {
    const { page, proxy } = await firstVisit("/");
    const expectNotFound = async (path: string) => {
      await page.goto(path);
      await page.getByRole("heading", { name: "404 not found :(" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/not-found");
    };
    await expectNotFound("/foo.bar");
    await expectNotFound("/manager/x.y?a=1");
    await expectNotFound("/assets/missing.js");
    const file = await page.goto("/provider.json");
    expect(file?.headers()["content-type"]).toBe("application/json");
    proxy.set("down");
    await expectNotFound("/foo.bar");
    proxy.set("hangs");
    await expectNotFound("/manager/x.y");
  },
);

test("every peering's configuration opens without the network once the dashboard has been open", async () => {
  const nodes = ["ny01", "syd01"];
  const other = await signUp(demo.url, "4242420002", "a sentence for the tests");
  for (const node of nodes) await deployPeering(other, node, { remote_ip: `${node}.example.org` });
  // The first visit of this device. Its worker takes control of the page while the dashboard is open.
  const { page, proxy } = await firstVisit("/manager", other);
  const storedOf = async (path: string) =>
    (await dumpStorage(page))
      .map(({ content }) => content)
      .join("\n")
      .split(`"${path}"`).length - 1;
  await expect.poll(() => storedOf(calls.getNodeConfig.path), { timeout: 20_000 }).toBe(nodes.length);
  expect(await storedOf(calls.getPeerConfig.path)).toBe(nodes.length);
  proxy.set("down");
  await page.goto("/manager");
  for (const node of nodes) {
    await page.getByRole("link", { name: `View ${node}` }).click();
    await page.getByRole("tab", { name: "Edit Peering" }).click();
    // The status tab shows the endpoint as well, until the other tab has replaced it.
    const tab = page.getByRole("tabpanel", { name: "Edit Peering" });
    await tab.getByText(`${node}.example.org:51820`, { exact: true }).waitFor();
    await page.getByRole("heading", { name: "Configuration for your router" }).waitFor();
    await page
      .getByText(/last known, \d+ s ago/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Dashboard", exact: true }).first().click();
  }
});

// One device for all: the first test needs a screen that was never opened, and the last one takes over the clock.
describe("a participant's device", () => {
  let page: Page;
  let proxy: NetworkProxy;
  let close: () => Promise<void>;

  beforeAll(async () => {
    ({ page, proxy, close } = await install("/manager?node=de01", { as: demo.participant }));
  });
  afterAll(() => close());

  test("says of a screen that was never opened that the server could not be reached, and recovers", async () => {
    await page.reload();
    await page.getByRole("tab", { name: "Detailed Info" }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("tab", { name: "Detailed Info" }).click();
    await page.getByText(/The server could not be reached/).waitFor();
    expect(await page.getByRole("button", { name: "Retry" }).isEnabled()).toBe(true);
    await page.context().setOffline(false);
    await page.getByText("interface: ").waitFor();
  });

  test("takes a node that hangs for no unreachable server: only the query to the node fails", async () => {
    onTestFinished(() => setNodeMode(demo.url, "de01", "normal"));
    await setNodeMode(demo.url, "de01", "silent");
    await page.reload();
    const message = page.getByText(
      "de01.demo.dn42 cannot be reached. Nothing was changed; try again in a minute.",
    );
    const first = [
      message.waitFor({ timeout: 60_000 }).then(() => "told"),
      offlineNotice(page)
        .waitFor({ timeout: 60_000 })
        .then(() => "no connection"),
    ];
    for (const each of first) each.catch(() => undefined);
    expect(await Promise.race(first)).toBe("told");
  });

  test("fails a submit at once, does not send it later, and its draft survives a reload", async () => {
    await chooseNode(page, "syd01");
    await choose(page, /Address family/, "IPv4");
    await nextStep(page);
    await fill(page, {
      "Public IP or hostname": "198.51.100.9",
      Port: "51820",
      "Public key": "m0VQ2VxkZsgTJf7qpEeJSCgkMvMZ5uKJ0zuE2dUcR2o=",
      "IPv4 tunnel address": "172.20.1.5",
    });
    proxy.set("down");
    await nextStep(page);
    await page.getByText(/The server cannot be reached right now/).waitFor();
    await page.reload();
    await page.getByText("198.51.100.9").waitFor();
    await page.getByText(/The server cannot be reached right now/).waitFor();
    proxy.set("up");
    await page.reload();
    await page.getByText("198.51.100.9").waitFor();
    expect(await page.getByText(/The server cannot be reached right now/).count()).toBe(0);
    const { asn, call } = demo.participant;
    expect(await call(calls.getPeeredNodes, { username: asn })).toEqual(["de01"]);
  });

  test("shows what was opened while the connection hangs, and updates it when the connection recovers", async () => {
    await page.clock.install();
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    proxy.set("hangs");
    await page.goto("/manager");
    await page.getByText("node: de01").waitFor();
    await page.getByText(/last known, /).waitFor();
    proxy.set("up");
    // The screen polls.
    await page.clock.fastForward("00:10");
    await expect.poll(() => page.getByText(/last known, /).count(), { timeout: 30_000 }).toBe(0);
    await expect.poll(() => offlineNotice(page).count(), { timeout: 30_000 }).toBe(0);
  });
});

test("a device that refuses storage can use the app", async () => {
  const page = await openPage(demo.url, { worker: true, as: demo.participant });
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
  expect(new URL(page.url()).pathname).toBe("/");
});

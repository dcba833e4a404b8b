/** The manager's views in their states, as a phone in the light scheme and a desktop in the dark one show them. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import type { Provider } from "../../src/contract/entities.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { ended, type Participant, peerUpdate, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { nothing, openLooking } from "./look.ts";
import { fill, submit } from "./wizard.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;
let newcomer: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ observeEveryMs: 300 }), launchBrowser()]);
  participant = await signUp(server.url, "4242420001");
  newcomer = await signUp(server.url, "4242420002");
  const { asn, call } = participant;
  const { taskID } = await call(calls.updatePeerConfig, [{ username: asn }, peerUpdate({ node: "syd01" })]);
  expect((await ended(participant, taskID)).status).toBe("success");
  const traffic = async () => {
    const samples = await call(calls.getNodeSamples, { username: asn });
    return samples.find(({ node }) => node === "syd01")?.traffic?.length;
  };
  // A page that finds none asks again much later.
  await vi.waitFor(async () => expect(await traffic()).toBeGreaterThan(0), {
    timeout: 20_000,
    interval: 200,
  });
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

const open = (as: Participant) => openLooking(browser, server.url, as);

/** The server's answer to a read comes when the test ends, if ever. */
async function hold(page: Page, path: string): Promise<void> {
  await page.route(`**${path}`, () => {});
}

test("Node Status and Stats", async () => {
  const { page, look, found } = await open(participant);
  await page.goto("/manager?view=nodes");
  await look("node status", page.getByRole("img", { name: /^Traffic, syd01/ }).locator("canvas"));
  await page.goto("/manager?view=stats");
  await look("stats", page.getByRole("img", { name: /^Total routes over IPv6/ }).locator("canvas"));
  await page.route(`**${calls.getNodeSamples.path}`, (route) => route.abort());
  await page.goto("/manager?view=nodes");
  await look("samples failed", page.getByText("Not loaded."));
  await page.unrouteAll();
  await hold(page, calls.getNodeSamples.path);
  await page.goto("/manager?view=stats");
  await look("samples on their way", page.getByText("Last sample: …"));
  expect(found()).toEqual(nothing);
});

test("Node Status of somebody without peerings, and with the provider's dashboards", async () => {
  const { page, look, found } = await open(newcomer);
  await page.goto("/manager?view=nodes");
  await look("no peerings", page.getByRole("link", { name: "Create a peering" }));
  await page.route("**/provider.json", async (route) => {
    const response = await route.fetch();
    const provider = (await response.json()) as Provider;
    await route.fulfill({
      json: { ...provider, dashboards: { ...provider.dashboards, node_cpu: "about:blank#{node}" } },
    });
  });
  await page.goto("/manager?view=nodes");
  await look("node to choose", page.getByRole("combobox", { name: "Node" }));
  expect(found()).toEqual(nothing);
});

test("Contact", async () => {
  const { page, look, found } = await open(participant);
  await page.goto("/manager?view=contact");
  await look("contact", page.getByRole("button", { name: "Submit" }));
  await submit(page);
  await look("refused", page.getByText(/^Failed to submit message\./));
  await fill(page, {
    "Your name": "Ada",
    "Your email address": "ada@example.org",
    "Your message": "x".repeat(5001),
  });
  await look("too long", page.getByText("Too long: 5,000 characters at most."));
  await fill(page, { "Your message": "Hello" });
  await submit(page);
  await look("submitted", page.getByText("Your message has been submitted."));
  expect(found()).toEqual(nothing);
});

/** The whole main job by clicking, against the built app and the demo: nothing but what a newcomer would do. */
import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { randomKey } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";

const asn = "4242420001";
const password = "my cat routes better than yours";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ timeScale: 0.2 }), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

describe("a participant", () => {
  let page: Page;
  const said: string[] = [];

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(20_000);
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) said.push(message.text());
    });
    page.on("response", (response) => {
      if (response.status() >= 400) said.push(`${response.status()} ${response.url()}`);
    });
    page.on("pageerror", (error) => said.push(error.message));
  });
  afterEach(() => page.close());

  test("registers, signs in, creates a peering, edits it and deletes it", { timeout: 120_000 }, async () => {
    await page.goto(server.url);
    await page.getByRole("link", { name: "Go to Peering Manager" }).click();
    await page.getByRole("heading", { name: "Login page" }).waitFor();
    await page.getByRole("link", { name: "Register for an account" }).click();
    await page.getByText("Please enter your dn42 AS number to get started.").waitFor();
    await page.getByRole("textbox").fill(asn);
    await page.getByRole("button", { name: "Next" }).click();
    await page
      .getByText("We have send a link to the email address associated with this AS number.")
      .waitFor();

    await page.goto(`${server.url}/demo/outbox`);
    await page
      .getByRole("link", { name: /setPassword\?token=/ })
      .first()
      .click();
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByLabel("Confirm password").fill(password);
    await page.getByRole("button", { name: /set password|submit|save/i }).click();
    await page.getByText("Success!").waitFor();
    expect(page.url()).not.toContain("token");

    await page.goto(`${server.url}/login`);
    await page.getByLabel("ASN").fill(asn);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("You don't appear to have any peerings yet.").waitFor();

    await page
      .getByRole("link", { name: "Create new peering" })
      .or(page.getByRole("button", { name: "Create new peering" }))
      .click();
    await page.getByText("syd01.demo.dn42").click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("Both", { exact: true }).click();
    await page.getByText("Do you want to use BGP Extended Nexthop?").waitFor();
    await page
      .getByRole("group", { name: /Extended Nexthop/ })
      .getByText("Yes", { exact: true })
      .click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel(/public IP/i).fill("198.51.100.7");
    await page.getByLabel(/port/i).fill("51820");
    await page.getByLabel(/public key/i).fill(randomKey());
    await page.getByLabel(/IPv6/i).fill("fe80::1");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Success!").waitFor();
    await page.getByText("Here is the config for your side:").waitFor();
    await page.getByText("192.0.2.11:20001").first().waitFor();

    await page.goto(`${server.url}/manager`);
    await page.getByText("node: syd01.demo.dn42").waitFor();
    await page
      .getByRole("link", { name: "View" })
      .or(page.getByRole("button", { name: "View" }))
      .click();
    await page.getByText("Up ✅").waitFor();
    await page.getByText("Established ✅").waitFor();

    await page.getByRole("tab", { name: "Edit Peering" }).click();
    await page
      .getByRole("link", { name: "Change your details" })
      .or(page.getByRole("button", { name: "Change your details" }))
      .click();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel(/port/i).fill("51999");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Submit" }).click();
    await page.getByText("Here is the config for your side:").waitFor();

    await page.goto(`${server.url}/manager?node=syd01&tab=edit`);
    await page.getByText("198.51.100.7:51999").waitFor();
    await page.getByRole("button", { name: "Delete peering" }).click();
    await page.getByText("Are you sure you want to delete this peering?").waitFor();
    await page.getByRole("button", { name: "Yes" }).click();
    await page.getByText("You have successfully deleted the peering on this node.").waitFor();
    expect(said).toEqual([]);
  });
});

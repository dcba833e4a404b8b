/** What the app shows when nodes, values, login sessions or the connection fail, in the browser and against the demo. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import {
  waitForTask,
  type Participant,
  peerUpdate,
  setNodeMode,
  signUp,
} from "../integration/server/participant.ts";
import { sharedBrowser } from "./browser.ts";
import { openPage } from "./open-page.ts";
import { fill, fillToConfirm, nextStep, submit } from "./wizard.ts";

const password = "a sentence for the tests";
const ownAddress = "172.20.1.5";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ waitMs: 600_000 }), sharedBrowser()]);
  participant = await signUp(server.url, "4242420001", password);
});
afterAll(() => server[Symbol.asyncDispose]());

const open = (as?: Participant) => openPage(browser, server.url, { ...(as && { as }) });

/** The path and the search of the page's address. */
function address(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

describe("a deployment", () => {
  test("that the node rejects fails, with its task, the causes and the node's reason", async () => {
    const page = await open(participant);
    await setNodeMode(server.url, "de01", "refuse");
    await fillToConfirm(page, "de01", ownAddress);
    await submit(page);
    await heading(page, "Failed").waitFor();
    const taskID = new URL(page.url()).searchParams.get("task") ?? "";
    expect((await waitForTask(participant, taskID)).status).toBe("failed");
    await page.getByText(taskID).waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(
      "BIRD refused the new configuration. Nothing was deployed. Everything you entered is kept.",
    );
    expect(await heading(page, "Possible causes").locator("xpath=..").getByRole("listitem").count()).toBe(3);
    await page.getByText("Please contact Peerdeck Demo support for further assistance.").waitFor();

    await setNodeMode(server.url, "de01", "normal");
    await page.getByRole("button", { name: "Review and redeploy" }).click();
    await submit(page);
    await heading(page, "Success!").waitFor();
  });

  test("to an offline node waits and says so, survives a reload, and finishes when the node is back", async () => {
    const page = await open(participant);
    await setNodeMode(server.url, "sin01", "offline");
    await fillToConfirm(page, "sin01", ownAddress);
    await submit(page);
    await page.getByText("sin01.demo.dn42 cannot be reached. Trying again…").waitFor();
    const task = address(page);
    await page.reload();
    await page.getByText("Deploying config, please wait...").waitFor();
    await page.getByText("sin01.demo.dn42 cannot be reached. Trying again…").waitFor();
    expect(address(page)).toBe(task);
    await page.goto("/manager");
    await page.getByRole("link", { name: "Deploying…" }).click();
    await setNodeMode(server.url, "sin01", "normal");
    await heading(page, "Success!").waitFor();
    await page.getByText("Here is the config for your side:").waitFor();
  });
});

describe("the wizard", () => {
  test("asks which version to keep if the peering was changed in the meantime", async () => {
    const page = await open(participant);
    const deploy = async (remote_port: string) => {
      const body = peerUpdate({ node: "per01", remote_port });
      const { taskID } = await participant.call(calls.updatePeerConfig, [
        { username: participant.asn },
        body,
      ]);
      await waitForTask(participant, taskID);
    };
    await deploy("51820");
    await page.goto("/manager/updatepeer/edit?node=per01");
    await nextStep(page);
    await fill(page, { Port: "51999" });
    await nextStep(page);
    await deploy("51888");
    await submit(page);
    await page.getByText("Your peering on per01.demo.dn42 has changed in the meantime").waitFor();
    expect(await page.getByRole("button", { name: "Submit" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await submit(page);
    await heading(page, "Success!").waitFor();
    await page.goto("/manager?node=per01&tab=edit");
    await page.getByText("198.51.100.7:51999").waitFor();
  });
});

describe("the manager", () => {
  test("is rendered around a slow read, even if the login session was confirmed late", async () => {
    const page = await open(participant);
    await page.route(`**${calls.authStatus.path}`, async (route) => {
      await new Promise((resolve) => {
        setTimeout(resolve, 700);
      });
      await route.continue();
    });
    await page.route(`**${calls.getPeerStatus.path}`, () => {});
    await page.goto("/manager");
    await page.getByText("Loading peerings…").waitFor();
    await page.getByRole("navigation", { name: "Manager" }).waitFor();
    await page.goto("/manager?node=syd01");
    await page.getByText("Loading the peering…").waitFor();
    await page.getByRole("tab", { name: "Troubleshooting" }).click();
    await page.getByRole("button", { name: "Check BGP config" }).waitFor();
    expect(address(page)).toBe("/manager?node=syd01&tab=troubleshooting");
  });
});

describe("logging in", () => {
  test("leads back to the screen on which the login session ended, with its form", async () => {
    const { cookie, call } = await signUp(server.url, "4242420002", password);
    const page = await open({ asn: "4242420002", cookie, call });
    await page.goto("/manager/updatepeer/new");
    await heading(page, "Select a node").waitFor();
    await page.getByRole("button", { name: /^syd01/ }).click();
    await nextStep(page);
    await heading(page, "BGP details").waitFor();
    // The event stream notifies the page at once, without a click.
    await call(calls.logout, undefined);
    await heading(page, "Login page").waitFor();
    await fill(page, { ASN: "4242420002", Password: password });
    await page.getByRole("button", { name: "Login" }).click();
    await heading(page, "BGP details").waitFor();
    expect(address(page)).toBe("/manager/updatepeer/new?step=selectBGPDetails");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("button", { name: /^syd01/, pressed: true }).waitFor();
  });
});

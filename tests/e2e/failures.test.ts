/** What a person sees when nodes, values, sessions or the connection fail, in the browser and against the demo. */
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
import { visit } from "./visit.ts";
import { fill, fillToConfirm, next, submit } from "./wizard.ts";

const password = "a sentence for the tests";
const ownAddress = "172.20.1.5";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ waitMs: 600_000 }), launchBrowser()]);
  participant = await signUp(server.url, "4242420001", password);
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function open(as?: Participant): Promise<Page> {
  const {
    page,
    complaints,
    [Symbol.asyncDispose]: close,
  } = await visit(browser, server.url, {
    ...(as && { as }),
  });
  onTestFinished(async () => {
    await close();
    expect(complaints).toEqual([]);
  });
  return page;
}

/** The path and the search of where the page is. */
function address(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

describe("a deployment", () => {
  test("that the node refuses ends as failed, with its task, the causes and the node's own reason", async () => {
    const page = await open(participant);
    await setNodeMode(server.url, "de01", "refuse");
    await fillToConfirm(page, "de01", ownAddress);
    await submit(page);
    await heading(page, "Failed").waitFor();
    const taskID = new URL(page.url()).searchParams.get("task") ?? "";
    expect((await ended(participant, taskID)).status).toBe("failed");
    await page.getByText(taskID).waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(
      /^BIRD refused the new configuration: .+ What ran before still runs\. Everything you entered is kept\.$/,
    );
    expect(await heading(page, "Possible causes").locator("xpath=..").getByRole("listitem").count()).toBe(3);
    await page.getByText("Please contact Peerdeck Demo support for further assistance.").waitFor();

    await setNodeMode(server.url, "de01", "normal");
    await page.getByRole("button", { name: "Review and redeploy" }).click();
    await submit(page);
    await heading(page, "Success!").waitFor();
  });

  test("to a node that is offline waits and says so, survives a reload, and ends when the node is back", async () => {
    const page = await open(participant);
    await setNodeMode(server.url, "sin01", "offline");
    await fillToConfirm(page, "sin01", ownAddress);
    await submit(page);
    await page.getByText("sin01 cannot be reached. Trying again…").waitFor();
    const task = address(page);
    await page.reload();
    await page.getByText("Deploying config, please wait...").waitFor();
    await page.getByText("sin01 cannot be reached. Trying again…").waitFor();
    expect(address(page)).toBe(task);
    await page.goto("/manager");
    await page.getByRole("link", { name: "Deploying…" }).click();
    await setNodeMode(server.url, "sin01", "normal");
    await heading(page, "Success!").waitFor();
    await page.getByText("Here is the config for your side:").waitFor();
  });

  test("that was never answered fails with an unknown task and keeps what was entered", async () => {
    const page = await open(participant);
    await fillToConfirm(page, "ny01", ownAddress);
    await page.route(`**${calls.updatePeerConfig.path}`, (route) => route.abort());
    await submit(page);
    await heading(page, "Failed").waitFor();
    expect(await page.getByRole("main").getByRole("definition").allTextContents()).toEqual(["unknown"]);
    expect(await page.getByRole("alert").textContent()).toBe(
      "The server could not be reached. Check your connection and try again. Everything you entered is kept.",
    );
    await page.unrouteAll();
    await page.getByRole("button", { name: "Review and redeploy" }).click();
    await heading(page, "Confirm your details").waitFor();
    await submit(page);
    await heading(page, "Success!").waitFor();
  });
});

describe("the wizard", () => {
  test("returns to the field that the server refuses, with everything kept", async () => {
    const page = await open(participant);
    await fillToConfirm(page, "za01", "172.20.10.1");
    await page.getByRole("button", { name: "Back" }).click();
    const key = await page.getByLabel("Public key").inputValue();
    await next(page);
    await submit(page);
    await heading(page, "Your details").waitFor();
    await page.getByText("The server refused the value marked below. Nothing was deployed;").waitFor();
    const refused = page.getByLabel("IPv4 tunnel address");
    expect(await refused.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("172.20.10.1 is not registered to AS4242420001").waitFor();
    expect(await refused.inputValue()).toBe("172.20.10.1");
    expect(await page.getByLabel("Public IP or hostname").inputValue()).toBe("198.51.100.7");
    expect(await page.getByLabel("Port").inputValue()).toBe("51820");
    expect(await page.getByLabel("Public key").inputValue()).toBe(key);
    await refused.fill(ownAddress);
    expect(await refused.getAttribute("aria-invalid")).toBe("false");
  });

  test("asks which version counts when the peering changed meanwhile", async () => {
    const page = await open(participant);
    const deploy = async (remote_port: string) => {
      const body = peerUpdate({ node: "per01", remote_port });
      const { taskID } = await participant.call(calls.updatePeerConfig, [
        { username: participant.asn },
        body,
      ]);
      await ended(participant, taskID);
    };
    await deploy("51820");
    await page.goto("/manager/updatepeer/edit?node=per01");
    await next(page);
    await fill(page, { Port: "51999" });
    await next(page);
    await deploy("51888");
    await submit(page);
    await page.getByText("Your peering on per01 was changed meanwhile").waitFor();
    expect(await page.getByRole("button", { name: "Submit" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Keep mine" }).click();
    await submit(page);
    await heading(page, "Success!").waitFor();
    await page.goto("/manager?node=per01&tab=edit");
    await page.getByText("198.51.100.7:51999").waitFor();
  });
});

describe("the manager", () => {
  test("stands around a state that is long in coming, however late the session was known", async () => {
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

  test("opens and closes its menu as the window gets room for it", async () => {
    const page = await open(participant);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/manager");
    const menu = page.getByRole("navigation", { name: "Manager" });
    await menu.waitFor();
    await page.setViewportSize({ width: 768, height: 1024 });
    await expect.poll(() => menu.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect.poll(() => menu.isVisible()).toBe(true);
  });
});

describe("signing in", () => {
  test("tells wrong credentials from a server that does not answer", async () => {
    const page = await open();
    await page.goto("/login");
    await fill(page, { ASN: participant.asn, Password: "not this one" });
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("Invalid username or password.", { exact: true }).waitFor();
    await page.route(`**${calls.login.path}`, (route) => route.abort());
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByText("An error occured. Please try again.", { exact: true }).waitFor();
    expect(address(page)).toBe("/login");
    expect(await page.getByLabel("ASN").inputValue()).toBe(participant.asn);
  });

  test("leads back to where a session ended, with the form as it was", async () => {
    const { cookie, call } = await signUp(server.url, "4242420002", password);
    const page = await open({ asn: "4242420002", cookie, call });
    await page.goto("/manager/updatepeer/new");
    await heading(page, "Select a node").waitFor();
    await page.getByRole("button", { name: /^syd01/ }).click();
    await next(page);
    await heading(page, "BGP details").waitFor();
    // The page hears of it at once; nobody has to click.
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

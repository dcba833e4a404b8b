/** Console errors on all screens of the built app. */
import { type Browser, type BrowserContextOptions, type Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { mailedToken, setNodeMode } from "../integration/server/participant.ts";
import { collectConsoleErrors } from "./console-errors.ts";
import { sharedBrowser } from "./browser.ts";
import { tileHost } from "./map-visit.ts";
import {
  logInByForm,
  logOut,
  walkEditAndDelete,
  walkManagerScreens,
  walkNewPeering,
  walkOverview,
  walkPublicScreens,
} from "./screen-walkthrough.ts";
import { fill, fillToConfirm, nextStep, submit } from "./wizard.ts";

const asn = "4242420001";
const other = "4242420002";
const ownPassword = "a sentence for the tests";

let server: DemoServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer({ observeEveryMs: 500 }), sharedBrowser()]);
});
afterAll(() => server[Symbol.asyncDispose]());

async function open(url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    baseURL: url,
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const errors = await collectConsoleErrors(page);
  await page.route(`${tileHost}/**`, (route) => route.fulfill({ contentType: "image/svg+xml", body: tile }));
  return { page, errors };
}

const tile = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"></svg>`;

async function walkManager(page: Page): Promise<void> {
  await walkNewPeering(page, "sin01");
  await walkOverview(page, "sin01");
  await walkManagerScreens(page);
  await walkEditAndDelete(page, "sin01");
  await logOut(page);
}

async function register(page: Page, as: string): Promise<void> {
  await page.goto("/register");
  await fill(page, { ASN: as });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("We have send a link").waitFor();
  await page.goto(`/setPassword?token=${await mailedToken(server.url)}`);
  await fill(page, { Password: ownPassword, "Confirm password": ownPassword });
  await submit(page);
  await page.getByText("Success!").waitFor();
}

test("the built app's console stays empty on every screen", { timeout: 240_000 }, async () => {
  const { page, errors } = await open(server.url);
  await walkPublicScreens(page);
  await register(page, asn);
  await logInByForm(page, asn, ownPassword);
  await walkManager(page);
  for (const path of ["/demo", "/demo/outbox", "/api/"]) await page.goto(path);
  expect(errors).toEqual([]);
});

test("rejected requests are shown on the screen, and only the browser writes them to the console", async () => {
  const { page, errors } = await open(server.url, { viewport: { width: 360, height: 740 } });
  await page.goto("/register");
  await fill(page, { ASN: "4242429999" });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("AS number cannot be found.").waitFor();
  await page.goto(`/setPassword?token=${"x".repeat(43)}`);
  await fill(page, { Password: ownPassword, "Confirm password": ownPassword });
  await submit(page);
  await page.getByText("Token invalid or expired, please try again.").waitFor();
  await page.goto("/login");
  await fill(page, { ASN: other, Password: "not this one" });
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("Invalid username or password.").waitFor();
  await register(page, other);
  await logInByForm(page, other, ownPassword);
  await page.goto("/manager/updatepeer/delete?node=de01");
  await page.getByText("404 not found :(").waitFor();
  await fillToConfirm(page, "de01", "172.20.10.1");
  await submit(page);
  await page.getByText("The server rejected the value marked below.").waitFor();
  await setNodeMode(server.url, "de01", "refuse");
  await fill(page, { "IPv4 tunnel address": "172.20.2.5" });
  await nextStep(page);
  await submit(page);
  await page.getByText("Possible causes").waitFor();
  expect(errors).toEqual([
    "404 /api/sendEmailVerification",
    "400 /api/setPassword",
    "401 /api/login/",
    "404 /api/checkPeerDeletionValidity",
    "422 /api/updatePeerConfig",
  ]);
});

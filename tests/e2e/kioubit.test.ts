/** The whole way to Kioubit's authentication service and back, in a browser with the app's service worker. */
import { createServer } from "node:http";
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { confirm, createKioubitService, respond } from "../integration/accounts/kioubit-service.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { createAudit } from "./axe-audit.ts";
import { waitForWorker } from "./installed-device.ts";
import { listenLocally } from "./local-server.ts";
import { openPage } from "./open-page.ts";
import { findInStorage } from "./storage-dump.ts";

const asn = "4242420001";
const password = "a sentence for the tests";

/** A service on another site, whose page has a link that confirms an AS, and a server that uses it. */
async function startScene() {
  let keys = createKioubitService();
  const sent: string[] = [];
  const returned: string[] = [];
  const web = await listenLocally(
    createServer((request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      sent.push(`${url.pathname} ${[...url.searchParams.keys()].join(" ")}`);
      const query = respond(keys, confirm(asn, url.href, Date.now()));
      returned.push(...query.values());
      const back = `${url.searchParams.get("return")}?${query.toString()}`.replaceAll("&", "&amp;");
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><title>Service</title><a href="${back}">Confirm AS${asn}</a>`);
    }),
  );
  onTestFinished(() => web[Symbol.asyncDispose]());
  const url = `${web.url.replace("127.0.0.1", "localhost")}/auth/`;
  const server = await profileServer({}, { profile: { kioubit: { ...keys.profile, url } } });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    server,
    /** The addresses at which the service was opened: the path and the names of the parameters. */
    sent: sent as readonly string[],
    /** What the service has signed, and the signatures. */
    returned: returned as readonly string[],
    /** From now on, the service signs with another key than the server knows. */
    changeKey: () => {
      keys = createKioubitService();
    },
  };
}

/** Goes to the service from a screen that asks for an AS number. */
async function leave(page: Page, screen: "/register" | "/forgotPassword"): Promise<void> {
  await page.goto(screen);
  await page.getByLabel("ASN").fill(asn);
  await page.getByText(`Other ways to prove that AS${asn} is yours`).click();
  await page.getByRole("button", { name: "Prove with Kioubit's service" }).click();
}

const confirmAs = (page: Page) => page.getByRole("link", { name: `Confirm AS${asn}` }).click();

async function setPassword(page: Page): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.locator("button[type=submit]").click();
  await page.getByRole("link", { name: "Back to login" }).click();
}

const logIn = (page: Page) => page.getByRole("button", { name: "Log in with Kioubit's service" }).click();

test("a visitor registers, logs in and resets the password without a mail", async () => {
  const { server, sent, returned } = await startScene();
  const page = await openPage(server.url, { worker: true, ownTab: true });
  await page.goto("/login");
  await waitForWorker(page);
  await leave(page, "/register");
  await confirmAs(page);
  await page.waitForURL("**/setPassword?purpose=registration");
  await setPassword(page);
  await logIn(page);
  await confirmAs(page);
  await page.waitForURL("**/manager");
  await page.getByRole("link", { name: "New peering" }).first().waitFor();
  await page.reload();
  await page.getByRole("link", { name: "New peering" }).first().waitFor();
  await leave(page, "/forgotPassword");
  await confirmAs(page);
  await page.waitForURL("**/setPassword?purpose=reset");
  await setPassword(page);
  await page.getByLabel("ASN").fill(asn);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.getByRole("link", { name: "New peering" }).first().waitFor();
  expect(sent).toEqual(Array.from({ length: 3 }, () => "/auth/ return token"));
  expect(returned).toHaveLength(6);
  expect(await findInStorage(page, returned)).toEqual([]);
});

test("the screen where it began says why a return was refused, and the way back repeats nothing", async () => {
  const { server, changeKey } = await startScene();
  const page = await openPage(server.url, { worker: true, ownTab: true });
  await page.goto("/login");
  await logIn(page);
  await confirmAs(page);
  await page.getByText("This AS number has no account yet. Register for one first.").waitFor();
  await createAudit(page)("refused login", page.getByRole("alert"));
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe("/login?kioubit=no-account");
  changeKey();
  await logIn(page);
  await confirmAs(page);
  const unverified = page.getByText("could not be verified. Nothing was changed; try again.");
  await unverified.waitFor();
  await leave(page, "/register");
  await confirmAs(page);
  await page.waitForURL("**/register?kioubit=unverified");
  await unverified.waitFor();
  await page.goBack();
  await page.getByRole("link", { name: `Confirm AS${asn}` }).waitFor();
  expect(await page.context().cookies()).toEqual([
    expect.objectContaining({ name: "peerdeck-challenge", httpOnly: true, sameSite: "Lax" }),
  ]);
});

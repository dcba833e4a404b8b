/** The API page: it is accessible, fits a phone, and sends the calls that are tried on it. */
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { openAudited } from "./axe-audit.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const demo = useDemo();

test("the page is accessible and no wider than a phone, closed and with the parts of a call open", async () => {
  const { page, audit } = await openAudited(demo.url);
  await page.goto("/api/");
  await audit("closed", page.getByRole("heading", { name: "Peerings" }));
  await page.evaluate(() => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>("#login details"))
      details.open = true;
  });
  await audit("open", page.getByRole("button", { name: "Send" }));
  expect(page.url()).toBe(`${demo.url}/api/`);
});

test("a call that is tried shows its status and response, and leaves the login session alone", async () => {
  const page = await openPage(demo.url, { as: demo.participant });
  await page.goto("/api/");
  const logout = page.locator("#logout");
  await logout.getByText("Try it").click();
  await logout.getByRole("button", { name: "Send" }).click();
  await logout
    .getByRole("status")
    .getByText(/^200 OK · \d+ ms/)
    .waitFor();

  const login = page.locator("#login");
  await login.getByText("Try it").click();
  await login.getByLabel("Body").fill('{"username": ');
  await login.getByRole("button", { name: "Send" }).click();
  await login
    .getByRole("status")
    .getByText(/^400 Bad Request/)
    .waitFor();
  expect(await login.locator("output pre").textContent()).toBe(
    JSON.stringify({ message: "The body is not valid JSON. Nothing was changed." }, null, 2),
  );

  await page.route("**/api/nodes.json", (route) => route.abort());
  const nodes = page.locator("#nodes");
  await nodes.getByText("Try it").click();
  await nodes.getByRole("button", { name: "Send" }).click();
  await nodes.getByRole("status").getByText("No response.").waitFor();

  const { asn, call } = demo.participant;
  expect(await call(calls.authStatus, undefined)).toEqual({ isAuthenticated: true, username: asn });
});

test("a call is tried with a token, which the page does not store", async () => {
  const { asn: username, call } = demo.participant;
  const wanted = {
    username,
    name: "Page",
    scope: "read",
    node: null,
    days: 30,
    ends_with_password: true,
  } as const;
  const { token } = await call(calls.createApiToken, wanted);
  const page = await openPage(demo.url);
  await page.goto("/api/");
  const status = page.locator("#getPeerStatus");
  await status.getByText("Try it").click();
  await status.getByRole("button", { name: "Send" }).click();
  await status.getByText("Enter an API token at the top of the page first.").waitFor();
  const field = page.getByLabel("API token");
  expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);

  await field.fill(token);
  await status.getByRole("button", { name: "Send" }).click();
  await status
    .getByRole("status")
    .getByText(/^200 OK/)
    .waitFor();
  expect(await status.locator("output pre").textContent()).toBe("[]");
  const change = page.locator("#updatePeerConfig");
  await change.getByText("Try it").click();
  await change.getByRole("button", { name: "Send" }).click();
  await change
    .getByRole("status")
    .getByText(/^403 Forbidden/)
    .waitFor();

  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href]),
  );
  expect(stored).not.toContain(token);
  expect(await page.context().cookies()).toEqual([]);
  await page.reload();
  expect(await field.inputValue()).toBe("");
});

/** A participant adds, uses and removes passkeys in Chromium, also on an account without a password. */
import type { Page } from "playwright";
import { expect, onTestFinished, test } from "vitest";
import { createKioubitService } from "../integration/accounts/kioubit-service.ts";
import { logIn, outbox, signUp } from "../integration/server/participant.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { pressTab, tabTo, waitForFocusedField } from "./keyboard.ts";
import { openUnwatched } from "./open-page.ts";
import { addVirtualAuthenticator } from "./virtual-authenticator.ts";

/** Browsers offer passkeys here without encryption. */
const publicUrl = "http://localhost";
const inner = "http://peering.example.dn42";
const asn = "4242420001";
const password = "a sentence for the tests";

async function open() {
  const server = await profileServer(
    {},
    { profile: { publicUrl, otherPublicUrls: [inner], kioubit: createKioubitService().profile } },
  );
  onTestFinished(() => server[Symbol.asyncDispose]());
  await signUp(server.url, asn, password);
  // To the server, a browser that uses it as a proxy looks like a reverse proxy that passes the host on.
  const visited = await openUnwatched(publicUrl, { proxy: { server: server.url } });
  return { server, ...visited };
}

async function enterPassword(page: Page): Promise<void> {
  await waitForFocusedField(page, "Login page", "ASN");
  await page.keyboard.type(asn);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

async function logOut(page: Page): Promise<void> {
  await page.goto("/manager/settings");
  await page.getByRole("button", { name: "Log out" }).last().press("Enter");
  await page.waitForURL(`${publicUrl}/`);
  await page.goto("/manager/settings");
  await page.waitForURL("**/login**");
}

/** With the keyboard, from the first field of the login screen. */
async function usePasskey(page: Page): Promise<void> {
  await waitForFocusedField(page, "Login page", "ASN");
  await page.getByRole("button", { name: "Log in with a passkey" }).waitFor();
  expect(await tabTo(page, "Log in with a passkey")).toEqual(["Password", "Show password"]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
}

async function add(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name of a new passkey").fill(name);
  await page.keyboard.press("Enter");
  await page.getByText("The passkey was added.").waitFor();
}

test("passkeys log in, replace the password, and replace each other", async () => {
  const { server, page, consoleErrors } = await open();
  const first = await addVirtualAuthenticator(page);
  await page.goto("/manager/settings");
  await enterPassword(page);
  const field = page.getByLabel("Name of a new passkey");
  await field.waitFor();
  expect(await field.inputValue()).toBe("Chrome on Linux");
  await add(page, "Laptop");
  const list = page.getByRole("list", { name: "Passkeys" });
  expect(await list.getByRole("listitem").textContent()).toContain("not used yet");
  // The device has one already.
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByText("This device has a passkey of this account already.").waitFor();

  await logOut(page);
  await usePasskey(page);
  await page.getByRole("button", { name: "Turn the password off…" }).press("Enter");
  expect(await pressTab(page)).toBe("Turn the password off");
  await page.keyboard.press("Enter");
  await page.getByText("The password is turned off: only passkeys log in.").waitFor();
  await expect(logIn(server.url, asn, password)).rejects.toMatchObject({ status: 401 });
  await logOut(page);
  await usePasskey(page);

  await page.getByRole("button", { name: "Remove… the passkey Laptop" }).press("Enter");
  await page.getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await page.getByText("no other passkey would be left to log in with").waitFor();
  await page.getByRole("button", { name: "Cancel" }).press("Enter");
  await first.remove();
  await addVirtualAuthenticator(page);
  await add(page, "Phone");
  await page.getByRole("button", { name: "Remove… the passkey Laptop" }).press("Enter");
  await page.getByRole("button", { name: "Remove", exact: true }).press("Enter");
  await list.getByText("Laptop", { exact: true }).waitFor({ state: "detached" });
  await logOut(page);
  await usePasskey(page);
  expect(await list.getByRole("listitem").count()).toBe(1);
  const subjects = (await outbox(server.url)).map(({ subject }) => subject.split(" for ")[0]);
  expect(subjects).toEqual(
    expect.arrayContaining(["Passkey added", "Passkey removed", "Password turned off"]),
  );
  expect(consoleErrors).toEqual([]);
});

test("a browser without one says so, and a host without encryption offers none", async () => {
  const { server, page, consoleErrors } = await open();
  const device = await addVirtualAuthenticator(page);
  await page.goto("/login");
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByText(/^No passkey was used: it was cancelled, took too long/).waitFor();
  await device.remove();
  expect(consoleErrors).toEqual([]);

  const elsewhere = await openUnwatched(inner, { proxy: { server: server.url } });
  await elsewhere.page.goto("/login");
  await elsewhere.page.getByRole("button", { name: "Login", exact: true }).waitFor();
  expect(await elsewhere.page.evaluate(() => "PublicKeyCredential" in window)).toBe(false);
  expect(await elsewhere.page.getByRole("button", { name: "Log in with a passkey" }).count()).toBe(0);
});

test("the login form does not move when the other logins arrive", async () => {
  const { page, consoleErrors } = await open();
  const link = page.getByRole("link", { name: "Forgot password?" });
  await page.route("**/assets/other-logins*", async (route) => {
    await link.waitFor();
    await route.continue();
  });
  await page.goto("/login");
  const before = await link.boundingBox();
  await page.getByRole("button", { name: "Log in with a passkey" }).waitFor();
  await page.getByRole("button", { name: "Log in with Kioubit's service" }).waitFor();
  expect(await link.boundingBox()).toEqual(before);
  expect(consoleErrors).toEqual([]);
});

/**
 * The whole main task, as a new participant does it, with the keyboard only: every screen moves the focus to its
 * heading, or to the first field of its form, and Tab continues from there.
 */
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { calls } from "#contract/calls.ts";
import { requestProof } from "#mocks/proofs.ts";
import { collectConsoleErrors } from "./console-errors.ts";
import { tunnelDetails } from "./tunnel-details.ts";
import { useDemo } from "./demo-scene.ts";
import { waitForFocusedField, waitForFocusedHeading, readFocus, pressTab, tabTo } from "./keyboard.ts";
import { openPage } from "./open-page.ts";

const asn = "4242420001";
const password = "a sentence for the tests";
/** Its participant has another AS. */
const demo = useDemo({ asn: "4242420003" });

/** From the front page to an account. The mail is opened by its address, everything else by keyboard. */
async function register(page: Page): Promise<void> {
  await page.goto("/");
  await page.getByRole("heading", { name: "Peer with Peerdeck Demo" }).waitFor();
  expect(await pressTab(page)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await pressTab(page)).toBe("Go to Peering Manager");
  await page.keyboard.press("Enter");
  await waitForFocusedField(page, "Login page", "ASN");
  await tabTo(page, "Register for an account");
  await page.keyboard.press("Enter");
  await waitForFocusedField(page, "Register", "ASN");
  await page.keyboard.type(asn);
  await page.keyboard.press("Enter");
  await page.getByText("We have send a link to the email address").waitFor();

  // The outbox replaces a mail program, so its focus is not checked.
  await page.goto("/demo/outbox");
  const link = page.getByRole("link", { name: /setPassword\?token=/ }).first();
  const address = await link.textContent();
  do await page.keyboard.press("Tab");
  while ((await readFocus(page)).name !== address);
  await page.keyboard.press("Enter");
  await waitForFocusedField(page, "Set password", "Password");
  await page.keyboard.type(password);
  expect(await pressTab(page)).toBe("Show password");
  expect(await pressTab(page)).toBe("Confirm password");
  await page.keyboard.type(password);
  expect(await pressTab(page)).toBe("Submit");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Success!" }).waitFor();
  expect(page.url()).not.toContain("token");
  await tabTo(page, "Back to login");
  await page.keyboard.press("Enter");
}

async function logIn(page: Page): Promise<void> {
  await waitForFocusedField(page, "Login page", "ASN");
  await page.keyboard.type(asn);
  expect(await pressTab(page)).toBe("Password");
  await page.keyboard.type(password);
  expect(await pressTab(page)).toBe("Show password");
  expect(await pressTab(page)).toBe("Login");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Dashboard");
}

async function create(page: Page): Promise<void> {
  expect(await pressTab(page)).toBe("Create new peering");
  await page.keyboard.press("Enter");

  await waitForFocusedHeading(page, "Select a node");
  expect(await pressTab(page)).toMatch(/^syd01/);
  expect(await pressTab(page)).toMatch(/^per01/);
  expect(await pressTab(page, "Shift+Tab")).toMatch(/^syd01/);
  await page.keyboard.press("Space");
  const passed = await tabTo(page, "Next");
  expect(passed.map((name) => name.slice(0, 5))).toEqual([
    "per01",
    "sin01",
    "de01.",
    "ny01.",
    "za01.",
    "Cance",
  ]);
  await page.keyboard.press("Enter");

  await waitForFocusedHeading(page, "BGP details");
  expect(await pressTab(page)).toBe("Both");
  await page.keyboard.press("ArrowLeft");
  expect((await readFocus(page)).name).toBe("IPv6");
  await page.keyboard.press("ArrowRight");
  expect((await readFocus(page)).name).toBe("Both");
  // The change of the family has cleared the answer.
  expect(await pressTab(page)).toBe("Yes");
  await page.keyboard.press("Space");
  expect(await pressTab(page)).toBe("No");
  expect(await tabTo(page, "Next")).toEqual(["Cancel", "Back"]);
  await page.keyboard.press("Enter");

  await waitForFocusedHeading(page, "Your details");
  for (const [label, value] of tunnelDetails()) {
    expect(await pressTab(page)).toBe(label);
    await page.keyboard.type(value);
  }
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Confirm your details");
  const changes = ["Change node", "Change BGP details", "Change your details"];
  expect(await tabTo(page, "Submit")).toEqual([...changes, "Cancel", "Back"]);
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Success!");
  await page.getByText("Here is the config for your side:").waitFor();
  await page.getByText("192.0.2.11:20001").first().waitFor();
}

/** From the end of a deployment to the peering's last tab. */
async function openEditTab(page: Page): Promise<void> {
  expect(await pressTab(page)).toBe("View peering");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "syd01.demo.dn42");
  await page.getByText("Up ✅").waitFor();
  await page.getByText("Established ✅").waitFor();
  expect(await pressTab(page)).toBe("Status");
  await page.keyboard.press("End");
  await expect.poll(() => readFocus(page)).toMatchObject({ name: "Edit Peering", role: "tab" });
  await page.getByRole("heading", { name: "Current configuration" }).waitFor();
}

async function edit(page: Page): Promise<void> {
  await openEditTab(page);
  await tabTo(page, "Change your details");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "BGP details");
  await tabTo(page, "Next");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Your details");
  expect(await tabTo(page, "Port")).toEqual(["Public IP or hostname"]);
  await page.keyboard.type("51999");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Confirm your details");
  await tabTo(page, "Submit");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Success!");
}

async function remove(page: Page): Promise<void> {
  await openEditTab(page);
  await page.getByText("198.51.100.7:51999").waitFor();
  await tabTo(page, "Delete peering");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("alertdialog", { name: "Confirm peer deletion" });
  await dialog.waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await expect.poll(async () => (await readFocus(page)).name).toBe("Delete peering");

  await page.keyboard.press("Enter");
  await dialog.waitFor();
  await expect.poll(async () => (await readFocus(page)).name).toBe("No");
  // Until the server has checked whether there is a peering to delete, Yes cannot have the focus.
  await expect.poll(() => dialog.getByRole("button", { name: "Yes" }).isEnabled()).toBe(true);
  expect(await pressTab(page)).toBe("Yes");
  expect(await pressTab(page)).toBe("No");
  expect(await pressTab(page, "Shift+Tab")).toBe("Yes");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Success!");
  await page.getByText("You have successfully deleted the peering on this node.").waitFor();
  await tabTo(page, "Close");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Peer with Peerdeck Demo");
}

/** Logs out by the menu, which is before the screen in the tab order. */
async function logOut(page: Page): Promise<void> {
  await tabTo(page, "Go to Peering Manager");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Dashboard");
  await pressTab(page, "Shift+Tab");
  expect((await readFocus(page)).name).toBe("Logout");
  await page.keyboard.press("Enter");
  await waitForFocusedHeading(page, "Peer with Peerdeck Demo");
}

test("registers, logs in, creates a peering, edits it, deletes it and logs out without a mouse", async () => {
  const page = await openPage(demo.url, { viewport: { width: 1280, height: 900 }, ownTab: true });
  const errors = await collectConsoleErrors(page);
  await register(page);
  await logIn(page);
  await create(page);
  await edit(page);
  await remove(page);
  await logOut(page);
  expect(errors).toEqual([]);
});

test("proves an AS by a key without a mouse", async () => {
  const page = await openPage(demo.url, { viewport: { width: 1280, height: 900 }, ownTab: true });
  const errors = await collectConsoleErrors(page);
  const request = requestProof(asn, false);
  await page.route(`**${calls.requestProof.path}`, (route) => route.fulfill({ json: request }));
  await page.goto("/register");
  await waitForFocusedField(page, "Register", "ASN");
  await page.keyboard.type(asn);
  await tabTo(page, `Other ways to prove that AS${asn} is yours`);
  await page.keyboard.press("Enter");
  await page.getByText("1. Choose your key").waitFor();
  expect(await pressTab(page)).toMatch(/^SSH key/);
  await page.keyboard.press("ArrowDown");
  expect((await readFocus(page)).name).toMatch(/^PGP key/);
  await page.keyboard.press("ArrowUp");
  await tabTo(page, "Copy text");
  await tabTo(page, "Copy to clipboard");
  expect(await tabTo(page, "")).toEqual(["echo"].map(() => expect.stringMatching(/^echo 'peerdeck /)));
  await page.keyboard.type("hello");
  await tabTo(page, "choose a file with the signature");
  expect(await pressTab(page)).toBe("Prove");
  await page.keyboard.press("Enter");
  await page.getByText("This contains no signature.").waitFor();
  expect((await readFocus(page)).name).toBe("Prove");
  expect(errors).toEqual([]);
});

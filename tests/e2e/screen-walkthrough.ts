/** Visits all screens by clicking, on any backend. Waiting for an element also asserts that it appears. */
import type { Page } from "playwright";
import { randomKey } from "../integration/server/participant.ts";
import { choose, chooseNode, fill, nextStep, submit } from "./wizard.ts";

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, ...(typeof name === "string" && { exact: true }) });
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (page: Page, name: string) => page.getByRole("link", { name }).click();

/** Visits the main layout's screens by menu, the other public screens by link and address, and unknown paths. */
export async function walkPublicScreens(page: Page): Promise<void> {
  await page.goto("/");
  await heading(page, /^Peer with/).waitFor();
  for (const [name, seen] of [
    ["Status", "as of"],
    ["Map", "Nodes and links"],
    ["About", "Infrastructure Management"],
    ["Home", "What this network is"],
  ] as const) {
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await page.getByText(seen).first().waitFor();
  }
  for (const [path, seen] of [
    ["/status", "as of"],
    ["/map", "Nodes and links"],
    ["/about", "Infrastructure Management"],
    ["/not-found", "404 not found :("],
    ["/nowhere/at/all", "404 not found :("],
    ["/setPassword", "Bad URL."],
    ["/setPassword?token=given", "Confirm password"],
    ["/forgotPassword", "Password Reset"],
    ["/login?tab=resetPassword", "Password Reset"],
    ["/login?tab=nonsense", "Login page"],
    ["/manager", "Login page"],
    ["/manager/updatepeer/new", "Login page"],
  ] as const) {
    await page.goto(path);
    await page.getByText(seen).first().waitFor();
  }
  await page.goto("/login");
  await follow(page, "Forgot password?");
  await heading(page, "Password Reset").waitFor();
  await page.goBack();
  await follow(page, "Register for an account");
  await page.getByText("Please enter your dn42 AS number to get started.").waitFor();
  await follow(page, "Already have an account? Login");
  await heading(page, "Login page").waitFor();
  await page.goto("/map");
  await page
    .getByRole("button", { name: /^za01\./ })
    .last()
    .click();
  await page.locator(".leaflet-popup").waitFor();
  await press(page, "Zoom in");
  await press(page, "Show all nodes");
}

/** Opens the login screen and logs in. */
export async function logInByForm(page: Page, asn: string, password: string): Promise<void> {
  await page.goto("/login");
  await fill(page, { ASN: asn, Password: password });
  await press(page, "Login");
  await heading(page, "Dashboard").waitFor();
}

/** Closes and opens the side menu, and visits its screens, the other colour scheme and invalid wizard types. */
export async function walkManagerScreens(page: Page): Promise<void> {
  await page.goto("/manager");
  await press(page, "= menu");
  await press(page, "= menu");
  for (const name of ["Node Status", "Stats", "Contact", "Dashboard"]) {
    await page.getByRole("navigation", { name: "Manager" }).getByRole("link", { name }).click();
    await heading(page, name).waitFor();
    await page.waitForLoadState("networkidle");
  }
  await page.getByRole("banner").getByRole("button").last().click();
  await page.goto("/manager?view=contact");
  await fill(page, { "Your name": "Ada", "Your email address": "ada@example.org", "Your message": "Hello" });
  await submit(page);
  await page.getByText("Your message has been submitted.").waitFor();
  for (const path of ["/manager/updatepeer/nonsense", "/manager/updatepeer/edit", "/manager/nowhere"]) {
    await page.goto(path);
    await page.getByText("404 not found :(").waitFor();
  }
}

/** Walks through the wizard with every question, forwards and backwards, its errors, and the whole deployment. */
export async function walkNewPeering(page: Page, node: string): Promise<void> {
  await page.goto("/manager/updatepeer/new");
  await press(page, "Cancel");
  await heading(page, "Dashboard").waitFor();
  await chooseNode(page, node);
  for (const family of ["IPv4", "IPv6", "Both"]) await choose(page, /Address family/, family);
  await choose(page, /custom/, "Yes");
  await page.getByLabel("Enter the IPv6 address").fill("!");
  await choose(page, /custom/, "No");
  for (const choice of ["No", "Yes"]) await choose(page, /Extended Nexthop/, choice);
  await nextStep(page);
  await heading(page, "Your details").waitFor();
  await fill(page, { "Public IP or hostname": "!", Port: "0", "Public key": "x" });
  await page.getByLabel("IPv6 tunnel address").fill("fe80::1");
  await page.getByText("Invalid value").first().waitFor();
  await fill(page, { "Public IP or hostname": "198.51.100.7", Port: "51820", "Public key": randomKey() });
  await nextStep(page);
  await heading(page, "Confirm your details").waitFor();
  await press(page, "Back");
  await heading(page, "Your details").waitFor();
  await nextStep(page);
  await submitAndWait(page);
  await page.getByText("Here is the config for your side:").waitFor();
}

/** Visits the peering's tabs and every modal of Troubleshooting, and cancels the deletion dialog. */
export async function walkOverview(page: Page, node: string): Promise<void> {
  await page.goto("/manager");
  await page.getByRole("listitem").filter({ hasText: node }).getByRole("link", { name: /^View/ }).click();
  await page.getByText("Tunnel status").waitFor();
  const openTab = (name: string) => page.getByRole("tab", { name }).click();
  await openTab("Detailed Info");
  await page.getByText(`Output from ${node}`).first().waitFor();
  await openTab("Troubleshooting");
  for (const name of [
    "Check BGP config",
    "Routes received from you",
    "Routes advertised to you",
    "IPv4 Ping Check",
    "IPv6 Ping Check",
    "Restart BGP",
  ]) {
    await press(page, name);
    const dialog = page.getByRole("dialog");
    const close = dialog.getByRole("button", { name: "Close", exact: true });
    await close.waitFor();
    if (name.startsWith("Routes")) await dialog.getByRole("button", { name: "Copy to clipboard" }).click();
    await close.click();
    await dialog.waitFor({ state: "detached" });
  }
  await openTab("Edit Peering");
  await page.getByText("Configuration for your router").waitFor();
  await press(page, "Delete peering");
  await press(page, "No");
}

/** Changes the peering's port, then deletes the peering, and waits for both deployments. */
export async function walkEditAndDelete(page: Page, node: string): Promise<void> {
  await page.goto(`/manager/updatepeer/edit?node=${node}`);
  await nextStep(page);
  await fill(page, { Port: "51999" });
  await nextStep(page);
  await heading(page, "Confirm your details").waitFor();
  await submitAndWait(page);
  await page.goto(`/manager/updatepeer/delete?node=${node}`);
  await page.getByRole("link", { name: "No", exact: true }).click();
  await heading(page, "Dashboard").waitFor();
  await page.goto(`/manager?node=${node}&tab=edit`);
  await press(page, "Delete peering");
  await press(page, "Yes");
  await page
    .getByText("You have successfully deleted the peering on this node.")
    .waitFor({ timeout: 60_000 });
  await follow(page, "Close");
  await heading(page, /^Peer with/).waitFor();
}

export async function logOut(page: Page): Promise<void> {
  // On a slow machine, the server would respond to these with 401 after the logout.
  const first = ["/api/events", "/api/getTasks"].map((path) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === path),
  );
  await page.goto("/manager");
  await Promise.all(first);
  await press(page, "Logout");
  await heading(page, /^Peer with/).waitFor();
}

async function submitAndWait(page: Page): Promise<void> {
  await submit(page);
  await heading(page, "Success!").waitFor({ timeout: 60_000 });
}

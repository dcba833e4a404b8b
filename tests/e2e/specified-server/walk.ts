/** Walks every screen of the specification on a server that speaks nothing else. Every wait is for a specified text. */
import type { Locator, Page } from "playwright";
import { expect } from "vitest";
import { randomKey } from "../../integration/server/participant.ts";
import { choose, fill, nextStep, submit } from "../wizard.ts";
import type { Failures } from "./failures.ts";
import type { PageClock } from "./page-clock.ts";

export interface Walk {
  readonly page: Page;
  readonly clock: PageClock;
  readonly failures: Failures;
  readonly asn: string;
  readonly password: string;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, ...(typeof name === "string" && { exact: true }) });
const button = (page: Page | Locator, name: string) => page.getByRole("button", { name, exact: true });
const tab = (page: Page, name: string) => page.getByRole("tab", { name });

/** By then the app has retried what failed, and shows what it makes of it. */
const retriedAfterMs = 5_000;

/** Waits until the screen shows this and has all its data, and expects that it has shown no failure. */
async function expectWorking(walk: Walk, seen: Locator | string): Promise<void> {
  const { page, clock, failures } = walk;
  await (typeof seen === "string" ? page.getByText(seen) : seen).first().waitFor();
  await clock.advance(retriedAfterMs);
  await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0);
  expect([page.url(), ...failures.take()]).toEqual([page.url()]);
}

export async function walkPublicScreens(walk: Walk): Promise<void> {
  const { page } = walk;
  await page.goto("/");
  await expectWorking(walk, page.getByRole("link", { name: "Go to Peering Manager" }));
  for (const [name, path, seen] of [
    ["Status", "/status", "Status"],
    ["Map", "/map", "Map"],
    ["About", "/about", "Infrastructure Management"],
    ["Home", "/", "Go to Peering Manager"],
  ] as const) {
    await page.getByRole("navigation").getByRole("link", { name, exact: true }).click();
    await page.waitForURL(`**${path}`);
    await expectWorking(walk, page.getByRole("main").getByText(seen));
  }
  await page.goto("/map");
  await expectWorking(walk, page.locator(".leaflet-container"));
  for (const [path, seen] of [
    ["/status", "Status"],
    ["/not-found", "404 not found :("],
    ["/nowhere/at/all", "404 not found :("],
    ["/setPassword", "Bad URL."],
    ["/login?tab=resetPassword", "Password Reset"],
    ["/manager", "Login page"],
    ["/manager/updatepeer/new", "Login page"],
  ] as const) {
    await page.goto(path);
    await expectWorking(walk, seen);
  }
}

/** Registers, sets a password with the mailed token, and asks for a second mail. */
export async function walkAccountScreens(walk: Walk): Promise<void> {
  const { page, asn, password } = walk;
  for (const path of ["/register", "/forgotPassword"]) {
    await page.goto(path);
    await fill(page, { ASN: asn });
    expect(await page.getByText("Other ways to prove").count()).toBe(0);
    await button(page, "Next").click();
    await expectWorking(walk, "We have send a link to the email address associated with this AS number.");
  }
  await page.goto("/setPassword?token=a-token");
  await fill(page, { Password: password, "Confirm password": password });
  await submit(page);
  await expectWorking(walk, "Please return to the login page to login to your account.");
}

export async function logIn(walk: Walk): Promise<void> {
  const { page, asn, password } = walk;
  await page.goto("/login");
  await fill(page, { ASN: asn, Password: password });
  await button(page, "Login").click();
  await expectWorking(walk, "You don't appear to have any peerings yet.");
  expect(new URL(page.url()).pathname).toBe("/manager");
  await page.getByText(`AS${asn}`).first().waitFor();
}

/** Creates a peering over both families, with every question of the wizard. */
export async function createPeering(walk: Walk, node: string): Promise<void> {
  const { page } = walk;
  await page.getByRole("link", { name: "Create new peering" }).click();
  await expectWorking(walk, button(page, "Cancel"));
  await page.getByRole("button", { name: new RegExp(`^${node}\\b`) }).click();
  await nextStep(page);
  await choose(page, /Address family/, "Both");
  await choose(page, /Extended Nexthop/, "No");
  await choose(page, /custom/, "Yes");
  await page.getByLabel("Enter the IPv6 address (link-local preferred):").fill("fe80::42");
  await nextStep(page);
  await fill(page, {
    "Public IP or hostname": "router.example.org",
    Port: "51820",
    "Public key": randomKey(),
    "IPv4 tunnel address": "172.20.1.5",
    "IPv6 tunnel address": "fe80::1",
  });
  await nextStep(page);
  await expectWorking(walk, "fe80::42");
  await submit(page);
  await waitForDeployment(walk, page.getByText("Here is the config for your side:"));
}

/** Looks at the nodes of the wizard with a peering: in the server's order, and without round trips, which it does not measure. */
export async function lookAtNodes(walk: Walk, node: string): Promise<void> {
  const { page } = walk;
  await page.goto("/manager/updatepeer/new");
  const nodes = page.getByRole("group", { name: "Node" }).getByRole("button");
  await expectWorking(walk, nodes.first());
  const names = await nodes.evaluateAll((buttons) =>
    buttons.map(({ textContent }) => textContent.replace(/\W.*/, "")),
  );
  expect(names).toEqual(["syd01", "per01", "sin01", "de01", "lon01"]);
  const taken = page.getByRole("button", { name: new RegExp(`^${node}\\b`) });
  await expect.poll(() => taken.isDisabled()).toBe(true);
  expect(await page.getByText(/From your router|measured to/).count()).toBe(0);
}

/** Visits the overview's tabs and modals. */
export async function walkOverview(walk: Walk, node: string, pingFails: boolean): Promise<void> {
  const { page } = walk;
  await page.goto("/manager");
  const peering = page.getByRole("listitem").filter({ hasText: `node: ${node}` });
  await expectWorking(walk, peering);
  await peering.getByRole("link", { name: /^View/ }).click();
  await expectWorking(walk, "Tunnel status");
  await tab(page, "Detailed Info").click();
  await expectWorking(walk, page.getByRole("heading", { name: "Wireguard" }));
  await tab(page, "Troubleshooting").click();
  for (const [name, title] of [
    ["Check BGP config", "BGP Config Check"],
    ["Routes received from you", "Show received routes"],
    ["Routes advertised to you", "Show advertised routes"],
    ["Restart BGP", "Restart BGP Peer"],
    ["IPv4 Ping Check", "Ping Check"],
    ["IPv6 Ping Check", "Ping Check"],
  ] as const) {
    await button(page, name).click();
    const dialog = page.getByRole("dialog", { name: title });
    const close = button(dialog, "Close");
    await close.waitFor();
    const isFailed = title === "Ping Check" && pingFails;
    expect([name, await dialog.getByText("Failed!").count()]).toEqual([name, isFailed ? 1 : 0]);
    await expectWorking(walk, close);
    await close.click();
    await waitUntil(walk, 200, async () => (await dialog.count()) === 0);
  }
  await tab(page, "Edit Peering").click();
  await expectWorking(walk, "router.example.org:51820");
  await button(page, "Delete peering").click();
  await expectWorking(walk, "Are you sure you want to delete this peering?");
  await button(page, "No").click();
}

export async function walkManagerViews(walk: Walk, node: string): Promise<void> {
  const { page, asn } = walk;
  await page.goto("/manager");
  await expectWorking(walk, heading(page, "Dashboard"));
  for (const [name, seen] of [
    ["Node Status", `${node} - iface AS${asn}`],
    ["Stats", "Total routes"],
    ["Contact", "Your message"],
  ] as const) {
    await page.getByRole("navigation", { name: "Manager" }).getByRole("link", { name }).click();
    await expectWorking(walk, seen);
  }
  await fill(page, {
    "Your name": "Ada",
    "Your email address": "ada@example.org",
    "Your message": "Hello",
  });
  await submit(page);
  await expectWorking(walk, "Your message has been submitted.");
  for (const path of ["/manager/updatepeer/nonsense", "/manager/nowhere"]) {
    await page.goto(path);
    await expectWorking(walk, "404 not found :(");
  }
}

/** Changes the port. The form begins with the configuration as it was read. */
export async function editPeering(walk: Walk, node: string): Promise<void> {
  const { page } = walk;
  await page.goto(`/manager?node=${node}&tab=edit`);
  await page.getByRole("link", { name: "Change your details" }).click();
  await expectWorking(walk, button(page, "Next"));
  expect(await button(page, "Back").count()).toBe(0);
  await nextStep(page);
  await page.getByLabel("Port", { exact: true }).waitFor();
  expect(await page.getByLabel("IPv4 tunnel address").inputValue()).toBe("172.20.1.5");
  expect(await page.getByLabel("IPv6 tunnel address").inputValue()).toBe("fe80::1");
  await fill(page, { Port: "51999" });
  await nextStep(page);
  await expectWorking(walk, "51999");
  await submit(page);
  await waitForDeployment(walk, page.getByText("Here is the config for your side:"));
  await page.goto(`/manager?node=${node}&tab=edit`);
  await expectWorking(walk, "router.example.org:51999");
}

export async function deletePeering(walk: Walk, node: string): Promise<void> {
  const { page } = walk;
  await page.goto(`/manager/updatepeer/delete?node=${node}`);
  await expectWorking(walk, "Are you sure you want to delete the peering?");
  await button(page, "Yes").click();
  await waitForDeployment(walk, page.getByText("You have successfully deleted the peering on this node."));
  await page.getByRole("link", { name: "Close", exact: true }).click();
  await expectWorking(walk, page.getByRole("link", { name: "Go to Peering Manager" }));
  await page.goto("/manager");
  await expectWorking(walk, "You don't appear to have any peerings yet.");
}

export async function logOut(walk: Walk): Promise<void> {
  const { page } = walk;
  await page.goto("/manager");
  await button(page, "Logout").click();
  await expectWorking(walk, page.getByRole("link", { name: "Go to Peering Manager" }));
  await page.goto("/manager");
  await expectWorking(walk, "Login page");
}

/** Stays on the screens that poll, for some minutes of the page's clock. */
export async function stayOnScreens(walk: Walk, node: string): Promise<void> {
  const { page, clock } = walk;
  for (const path of ["/status", "/manager", `/manager?node=${node}`, "/manager?view=nodes"]) {
    await page.goto(path);
    await expectWorking(walk, page.getByRole("main"));
    for (let minutes = 0; minutes < 2; minutes += 0.5) await clock.advance(30_000);
    await expectWorking(walk, page.getByRole("main"));
  }
}

async function waitForDeployment(walk: Walk, end: Locator): Promise<void> {
  const { page } = walk;
  await page.getByText("Deploying config, please wait... this could take a couple of minutes...").waitFor();
  await waitUntil(walk, 1_000, () => end.isVisible());
  await expectWorking(walk, end);
}

/** Moves the clock forward in steps until this is the case. */
async function waitUntil({ clock }: Walk, stepMs: number, isReached: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await clock.advance(stepMs);
      return isReached();
    })
    .toBe(true);
}

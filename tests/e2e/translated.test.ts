/** The main job while the browser translates the page: what changes is current, and data stays as it is. */
import type { Locator, Page } from "playwright";
import { expect, test } from "vitest";
import { randomKey, setNodeMode, signUp } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";
import { translated, translatePages, translationFaults } from "./translation.ts";

const asn = "4242420002";
const password = "a sentence for the tests";
const peering = { host: "syd01.demo.dn42", ip: "198.51.100.7", key: randomKey(), ipv4: "172.20.2.1" };
const demo = useDemo({ observeEveryMs: 1000 });

/** The elements of a page, by their translated texts. */
function elementsOf(page: Page) {
  return {
    text: (text: string) => page.getByText(translated(text), { exact: true }),
    /** What no translation may change. */
    data: (text: string) => page.getByText(text, { exact: true }),
    heading: (name: string) => page.getByRole("heading", { name: translated(name), exact: true }),
    link: (name: string) => page.getByRole("link", { name: translated(name), exact: true }),
    button: (name: string) => page.getByRole("button", { name: translated(name), exact: true }),
    tab: (name: string) => page.getByRole("tab", { name: translated(name), exact: true }),
  };
}

async function logIn(page: Page): Promise<void> {
  const { button } = elementsOf(page);
  await page.goto("/login");
  await page.getByLabel("ASN").fill(asn);
  await page.getByRole("textbox", { name: translated("Password") }).fill(password);
  await button("Login").click();
}

async function fillWizard(page: Page): Promise<void> {
  const { text, data, heading, button, link } = elementsOf(page);
  await link("Create new peering").click();
  await heading("Select a node").waitFor();
  await page.getByRole("button", { name: /^syd01/ }).click();
  await button("Next").click();
  await heading("BGP details").waitFor();
  await text("IPv4").click();
  await button("Next").click();
  await heading("Your details").waitFor();
  await page.getByLabel("Public IP or hostname").fill(peering.ip);
  await page.getByLabel("Port").fill("51820");
  await page.getByLabel("Public key").fill(peering.key);
  await page.getByLabel("IPv4 tunnel address").fill(peering.ipv4);
  await button("Next").click();
  await heading("Confirm your details").waitFor();
  await button("Submit").waitFor();
  expect(await button("Next").count()).toBe(0);
  for (const value of Object.values(peering)) await data(value).waitFor();
}

/** The digits of a text as one number: 159 for "1:59". */
async function readDigits(locator: Locator): Promise<number> {
  const text = await locator.textContent();
  return Number(text?.replaceAll(/\D/g, ""));
}

/** Submits while the node is unreachable: the countdown and the attempts go on. */
async function deploy(page: Page): Promise<void> {
  const { heading, button } = elementsOf(page);
  await setNodeMode(demo.url, "syd01", "offline");
  await button("Submit").click();
  const readSeconds = () => readDigits(page.getByRole("timer"));
  const readAttempt = () => readDigits(page.getByText(/deploy the peering, attempt \d+/));
  const [seconds, attempt] = [await readSeconds(), await readAttempt()];
  await expect.poll(readSeconds).toBeLessThan(seconds);
  await expect.poll(readAttempt).toBeGreaterThan(attempt);
  await setNodeMode(demo.url, "syd01", "normal");
  await heading("Success!").waitFor();
}

test("the main job, from login to deletion, in a page that is translated", async () => {
  await signUp(demo.url, asn, password);
  const page = await openPage(demo.url, { ownTab: true });
  await translatePages(page);
  const { text, data, heading, button, link, tab } = elementsOf(page);

  await logIn(page);
  // The browser offers a translation from English.
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  expect(await page.locator("meta[name=google], html[translate], body[translate]").count()).toBe(0);
  await fillWizard(page);
  await deploy(page);

  await heading("Here is the config for your side:").waitFor();
  await data("172.20.222.11").waitFor();
  expect(await page.getByRole("region", { name: "BIRD 2" }).textContent()).toContain(
    `source address ${peering.ipv4};`,
  );
  const session = page.getByRole("listitem").filter({ hasText: "BGP session Established" });
  await session.getByText(translated(": good")).waitFor();
  const age = page.getByText(/⟦checked \d+ s ago⟧/);
  const before = await age.textContent();
  await expect.poll(() => age.textContent()).not.toBe(before);

  await link("View peering").click();
  await page.getByRole("heading", { name: peering.host, exact: true }).waitFor();
  for (const state of ["Up ✅", "Established ✅"]) await text(state).waitFor();
  for (const value of [`AS${asn}`, `${peering.ip}:51820`, "Established"]) await data(value).first().waitFor();

  await tab("Troubleshooting").click();
  await button("IPv4 Ping Check").click();
  await text("Your router replied over IPv4.").waitFor();
  expect(await page.getByRole("dialog").locator("pre").textContent()).toMatch(/^PING 172\.20\.2\.1 /);
  await button("Close").click();

  await tab("Edit Peering").click();
  await data(peering.key).waitFor();
  await link("Change your details").click();
  await heading("BGP details").waitFor();
  await button("Next").click();
  await page.getByLabel("Port").fill("51821");
  await button("Next").click();
  await button("Submit").click();
  await heading("Success!").waitFor();
  await link("View peering").click();
  await data(`${peering.ip}:51821`).first().waitFor();

  await tab("Edit Peering").click();
  await button("Delete peering").click();
  await button("Yes").click();
  await text("You have successfully deleted the peering on this node.").waitFor();
  await link("Close").click();
  await heading("Peer with Peerdeck Demo").waitFor();
  expect(await translationFaults(page)).toEqual({ stale: [], referenced: [] });
});

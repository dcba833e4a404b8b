/** A participant of the lab in the web app. */
import type { Browser, Page } from "playwright";
import type { RunningLab } from "../../src/lab/lab.ts";
import type { ParticipantPlan } from "../../src/lab/network.ts";
import { type Visit, visit } from "../e2e/visit.ts";
import { choose, chooseNode, fill, nextStep, submit } from "../e2e/wizard.ts";
import { eventually } from "./eventually.ts";
import { type LoggedInParticipant, logInToLab } from "./peering.ts";

export interface Visitor extends LoggedInParticipant, Pick<Visit, "page" | "consoleErrors"> {}

export async function logInToPage(
  browser: Browser,
  lab: RunningLab,
  { asn, password }: ParticipantPlan,
): Promise<Visitor> {
  const { page, consoleErrors } = await visit(browser, lab.url);
  await page.goto("/login");
  await page.getByLabel("ASN").fill(asn);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await page.getByText("You don't appear to have any peerings yet.").waitFor();
  return { ...(await logInToLab(lab, asn)), page, consoleErrors };
}

/** Fills in a new peering over IPv6 except its endpoint, and opens the options. */
export async function fillDetails({ page, plan, publicKey }: Visitor, node: string): Promise<void> {
  await chooseNode(page, node);
  await choose(page, /Address family/, "IPv6");
  await nextStep(page);
  await fill(page, { "Public key": publicKey, "IPv6 tunnel address": `fe80::${plan.asn.slice(-1)}` });
  await page.getByText("More options").click();
}

export async function deploy(page: Page): Promise<void> {
  await nextStep(page);
  await submit(page);
  await page.getByText("Here is the config for your side:").waitFor();
}

/** Opens the page of a peering, and returns its text. */
async function openPeering(page: Page, node: string): Promise<string> {
  await page.goto(`/manager?node=${node}`);
  await page.getByRole("heading", { name: "BGP" }).first().waitFor();
  return page.getByRole("main").innerText();
}

/** Reloads the peering's page until it contains a text, and returns the page's text. */
export const waitForText = (page: Page, node: string, text: RegExp) =>
  eventually(
    () => openPeering(page, node),
    (shown) => text.test(shown),
  );

export async function remove(page: Page, node: string): Promise<void> {
  await page.goto(`/manager?node=${node}&tab=edit`);
  await page.getByRole("button", { name: "Delete peering" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("You have successfully deleted the peering on this node.").waitFor();
}

export interface RouterFiles {
  readonly wireguard: string;
  readonly bird: string;
}

export async function readFiles(page: Page): Promise<RouterFiles> {
  const read = async (name: RegExp) => (await page.getByRole("region", { name }).textContent()) ?? "";
  return { wireguard: await read(/^WireGuard: /), bird: await read(/^BIRD 2$/) };
}

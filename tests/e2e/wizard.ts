/** Operates the wizard by mouse, one step at a time. */
import type { Page } from "playwright";
import { randomKey } from "../integration/server/participant.ts";

/** Goes to the next step and waits for its heading, because the address changes before the screen does. */
export async function nextStep(page: Page): Promise<void> {
  const heading = page.getByRole("main").getByRole("heading").first();
  const before = await heading.textContent();
  await page.getByRole("button", { name: "Next" }).click();
  await page.waitForFunction(
    (previous) => document.querySelector("main :is(h1, h2)")?.textContent !== previous,
    before,
  );
}

export async function submit(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Submit" }).click();
}

export async function chooseNode(page: Page, node: string): Promise<void> {
  await page.goto("/manager/updatepeer/new");
  await page.getByRole("button", { name: new RegExp(`^${node}\\.`) }).click();
  await nextStep(page);
  await page.getByRole("heading", { name: "BGP details" }).waitFor();
}

/** Selects an option for one question of the family step. */
export async function choose(page: Page, question: RegExp, choice: string): Promise<void> {
  await page.getByRole("group", { name: question }).getByText(choice, { exact: true }).click();
}

export async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values))
    await page.getByLabel(label, { exact: true }).fill(value);
}

/** Fills in a new peering over IPv4, up to the step that submits it. */
export async function fillToConfirm(page: Page, node: string, ipv4: string): Promise<void> {
  await chooseNode(page, node);
  await choose(page, /Address family/, "IPv4");
  await nextStep(page);
  await fill(page, {
    "Public IP or hostname": "198.51.100.7",
    Port: "51820",
    "Public key": randomKey(),
    "IPv4 tunnel address": ipv4,
  });
  await nextStep(page);
  await page.getByRole("heading", { name: "Confirm your details" }).waitFor();
}

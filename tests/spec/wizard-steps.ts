/** Steps through the wizard for the tests of rows, by clicking. */
import type { Page } from "playwright";
import { answer, chooseNode, fill, next } from "../e2e/wizard.ts";
import { heading, seen } from "./seeing.ts";

export const publicKey = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";
export const customLabel = "Enter the IPv6 address (link-local preferred):";
export const always = {
  "Public IP or hostname": "router.example.org",
  Port: "51820",
  "Public key": publicKey,
} as const;
export const ipv4 = { "IPv4 tunnel address": "172.20.201.1" } as const;
export const ipv6 = { "IPv6 tunnel address": "fe80::1:1" } as const;

export type Family = "IPv4" | "IPv6" | "Both";

export const family = (page: Page, choice: Family) => answer(page, /Address family/, choice);
export const extendedNextHop = (page: Page, choice: "Yes" | "No") => answer(page, /Extended Nexthop/, choice);
export const custom = (page: Page, choice: "Yes" | "No") => answer(page, /custom/, choice);

export const openFamilyStep = (page: Page) => chooseNode(page, "syd01");

/** From the start to the details step. */
export async function openDetails(page: Page, choice: Family, extnh?: "Yes" | "No"): Promise<void> {
  await openFamilyStep(page);
  await family(page, choice);
  if (extnh !== undefined) await extendedNextHop(page, extnh);
  await toDetails(page);
}

export async function toDetails(page: Page): Promise<void> {
  await next(page);
  await seen(heading(page, "Your details"));
}

export async function toConfirm(page: Page): Promise<void> {
  await next(page);
  await seen(heading(page, "Confirm your details"));
}

/** From the start to the confirm step of a peering over IPv4 with this host. */
export async function openConfirm(page: Page, host: string = always["Public IP or hostname"]): Promise<void> {
  await openDetails(page, "IPv4");
  await fill(page, { ...always, ...ipv4, "Public IP or hostname": host });
  await toConfirm(page);
}

/** The labels of the text fields in sight, in their order. */
export function labels(page: Page): Promise<string[]> {
  return page
    .getByRole("main")
    .getByRole("textbox")
    .evaluateAll((fields) =>
      fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent ?? ""),
    );
}

/** Steps through the wizard by clicking. */
import { expect } from "vitest";
import { setOwner } from "#browser-storage/owner.ts";
import { readStoredDraft, saveStoredDraft } from "#browser-storage/stored-drafts.ts";
import { participant } from "#mocks/state.ts";
import { chooseFamily, newPeerForm } from "#domain/peering/fields/peer-form.ts";
import { newState, type WizardState } from "#web/features/peerings/wizard/wizard-state.ts";
import type { AppTab } from "../../support/app-tab.tsx";
import { waitFor } from "../../support/wait-for.ts";
import {
  button,
  byRole,
  click,
  expectShown,
  fill,
  heading,
  main,
  type Query,
  readTexts,
  text,
} from "./screen.ts";

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

const stepTitle = () => readTexts(heading(/./, main))[0];

/** Goes to the next step, and waits for it: the address changes before the screen does. */
export async function next(): Promise<void> {
  const before = stepTitle();
  await click(button("Next"));
  await waitFor(() => expect(stepTitle()).not.toBe(before));
}

/** A question of the family step. */
export const question = (name: RegExp | string): Query => byRole("group", name);

/** The chosen answers to a question. */
export const chosen = (name: RegExp): HTMLInputElement[] =>
  (byRole("radio", undefined, question(name))() as HTMLInputElement[]).filter(({ checked }) => checked);

async function answer(name: RegExp, choice: string): Promise<void> {
  await click(text(choice, question(name)));
}

export const family = (choice: Family) => answer(/Address family/, choice);
export const extendedNextHop = (choice: "Yes" | "No") => answer(/Extended Nexthop/, choice);
export const custom = (choice: "Yes" | "No") => answer(/custom/, choice);

/** From the first step of a new peering to the family step, with syd01 chosen. */
export async function chooseNode(): Promise<void> {
  await click(button(/^syd01\./));
  await next();
  await expectShown(heading("BGP details"));
}

/** From the first step of a new peering to the confirm step of one over IPv4. */
export async function fillToConfirm(): Promise<void> {
  await chooseNode();
  await family("IPv4");
  await toDetails();
  await fill({ ...always, ...ipv4 });
  await toConfirm();
}

/** From the start to the family step of a peering with syd01. */
export async function openFamilyStep(app: AppTab): Promise<void> {
  app.open("/manager/updatepeer/new");
  await chooseNode();
}

/** The family step of a stored draft that has no choice yet. */
export async function openUndecided(app: AppTab): Promise<void> {
  await openFamilyStep(app);
  const name = ["peering", "new", ""];
  const read = () => readStoredDraft(participant.asn, name) as Promise<WizardState | undefined>;
  await waitFor(async () => expect(await read()).toBeDefined());
  const draft = await read();
  await saveStoredDraft(participant.asn, name, {
    ...draft,
    form: { ...draft?.form, address_family: "", bgp_extnh: "", custom_local_ipv6: "" },
  });
  app.reload();
  await expectShown(heading("BGP details"));
}

/** From the start to the details step. */
export async function openDetails(app: AppTab, choice: Family, extnh?: "Yes" | "No"): Promise<void> {
  await openFamilyStep(app);
  await family(choice);
  if (extnh !== undefined) await extendedNextHop(extnh);
  await toDetails();
}

export async function toDetails(): Promise<void> {
  await next();
  await expectShown(heading("Your details"));
}

export async function toConfirm(): Promise<void> {
  await next();
  await expectShown(heading("Confirm your details"));
}

/** Opens the confirm step of a peering over IPv4, as a participant does who returns to the form. */
export async function openConfirm(app: AppTab): Promise<void> {
  const form = {
    ...chooseFamily({ ...newPeerForm, node: "syd01" }, "IPv4"),
    remote_ip: always["Public IP or hostname"],
    remote_port: always.Port,
    public_key: publicKey,
    peer_ipv4: ipv4["IPv4 tunnel address"],
  };
  await setOwner(participant.asn);
  await saveStoredDraft(participant.asn, ["peering", "new", ""], { ...newState, form });
  app.open("/manager/updatepeer/new?step=confirmDetails");
  await expectShown(heading("Confirm your details"));
}

/** The labels of the text fields of the screen, in their order. */
export function labels(): string[] {
  const fields = byRole("textbox", undefined, main)() as HTMLInputElement[];
  return fields.map((each) => each.labels?.[0]?.textContent ?? "");
}

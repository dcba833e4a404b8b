import { screen } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { participant } from "#mocks/state.ts";
import { type Backend, type OpenApp, openApp } from "../accounts/open-app.tsx";

export const publicKey = "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=";

/** Opens the wizard for a new peering as the participant. */
export async function openWizard(backend: Backend, address = "/manager/updatepeer/new"): Promise<OpenApp> {
  backend.state().loggedInAs = participant.asn;
  return openApp(address);
}

export function forward(name: "Next" | "Submit" = "Next"): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>("button", { name });
}

export async function press(user: UserEvent, name: string): Promise<void> {
  await user.click(await screen.findByRole("button", { name }));
}

/** Selects an option for a question of the family step. */
export async function choose(user: UserEvent, question: RegExp | string, choice: string): Promise<void> {
  const group = await screen.findByRole("group", { name: question });
  const radios = Array.from(group.querySelectorAll<HTMLInputElement>("input[type=radio]"));
  const radio = radios.find(({ value }) => value === choice);
  if (!radio) throw new Error(`no option ${choice}`);
  await user.click(radio);
}

export const questions = {
  family: "Address family",
  extendedNextHop: "Do you want to use BGP Extended Nexthop?",
  customLocalIpv6: "Do you want to specify a custom tunnel IPv6 address for our side?",
} as const;

/** From the first step to the family step, with a node chosen. */
export async function chooseNode(user: UserEvent): Promise<void> {
  await press(user, "syd01.dn42.example.net Sydney, Australia");
  await press(user, "Next");
  await screen.findByRole("heading", { name: "BGP details" });
}

export async function fill(user: UserEvent, label: string, value: string): Promise<void> {
  const field = await screen.findByRole("textbox", { name: label });
  await user.clear(field);
  if (value !== "") await user.paste(value);
}

/** The details step filled for a peering over IPv4 with this host. */
export async function fillToConfirm(user: UserEvent, host: string): Promise<void> {
  await chooseNode(user);
  await choose(user, questions.family, "IPv4");
  await press(user, "Next");
  await fill(user, "Public IP or hostname", host);
  await fill(user, "Port", "51820");
  await fill(user, "Public key", publicKey);
  await fill(user, "IPv4 tunnel address", "172.20.201.1");
  await press(user, "Next");
  await screen.findByRole("heading", { name: "Confirm your details" });
}

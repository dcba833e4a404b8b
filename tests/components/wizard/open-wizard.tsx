import { screen } from "@testing-library/react";
import { participant } from "#mocks/state.ts";
import { button, click } from "../../spec/jsdom/screen.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type OpenApp, openApp } from "../accounts/open-app.tsx";

/** Opens the wizard for a new peering as the participant. */
export async function openWizard(backend: Backend, address = "/manager/updatepeer/new"): Promise<OpenApp> {
  backend.state.loggedInAs = participant.asn;
  return openApp(address);
}

export function forward(name: "Next" | "Submit" = "Next"): HTMLButtonElement {
  return screen.getByRole<HTMLButtonElement>("button", { name });
}

export const press = (name: string): Promise<void> => click(button(name));

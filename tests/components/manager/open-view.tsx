import { screen } from "@testing-library/react";
import { participant } from "#mocks/state.ts";
import type { Backend } from "../../support/scripted-backend.ts";
import { type OpenApp, openApp } from "../accounts/open-app.tsx";

/** Opens a view of the manager as the participant, and waits for its heading. */
export async function openView(backend: Backend, address: string, heading: string): Promise<OpenApp> {
  backend.state.loggedInAs = participant.asn;
  const app = await openApp(address);
  await screen.findByRole("heading", { name: heading });
  return app;
}

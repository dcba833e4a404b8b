import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { forward, openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();

async function conflictedEdit() {
  addPeering(backend.state);
  const app = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
  await press("Next");
  await fill({ Port: "4000" });
  addPeering(backend.state, { remote_port: "5000" });
  backend.refuseOnce("updatePeerConfig", 409, {
    message: "This peering was changed meanwhile. Nothing of yours was deployed.",
  });
  await press("Next");
  await press("Submit");
  await screen.findByRole("button", { name: "Keep mine" });
  return app;
}

describe("a peering that was changed meanwhile", () => {
  it("stops Submit until a version is chosen, and is replaced by what was entered on 'Keep mine'", async () => {
    await conflictedEdit();
    expect(screen.getByRole("alert").textContent).toContain(
      "This peering was changed meanwhile. Nothing of yours was deployed. Everything you entered is still here.",
    );
    expect(forward("Submit").disabled).toBe(true);
    await press("Keep mine");
    await press("Submit");
    await screen.findByText("mock-3");
    const sent = backend.sent("updatePeerConfig").at(-1) as [unknown, Record<string, unknown>];
    expect([sent[1]["remote_port"], sent[1]["generation"]]).toEqual(["4000", 2]);
  });

  it("replaces what was entered on 'Load the current version'", async () => {
    await conflictedEdit();
    await press("Load the current version");
    await screen.findByRole("heading", { name: "BGP details" });
    await press("Next");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" })).value).toBe("5000");
  });
});

it("a submit after the login session has ended leads to the login screen, and back to the saved form", async () => {
  const { address } = await openWizard(backend);
  await fillToConfirm();
  backend.state.loggedInAs = null;
  await press("Submit");
  await screen.findByRole("heading", { name: "Login page" });
  await fill({ ASN: participant.asn, Password: participant.password });
  await press("Login");
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect(screen.getByText("router.example.org")).toBeTruthy();
  expect(address()).toBe("/manager/updatepeer/new?step=confirmDetails");
  // The title names the chosen node while the submit is pending.
  backend.state.hanging.push("updatePeerConfig");
  await press("Submit");
  expect(await screen.findByRole("heading", { name: "Deploying to syd01.dn42.example.net" })).toBeTruthy();
});

import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { enter, useBackend } from "../accounts/open-app.tsx";
import { fill, fillToConfirm, forward, openWizard, press, publicKey } from "./open-wizard.tsx";

const backend = useBackend();

async function confirmed(host: string) {
  const app = await openWizard(backend);
  await fillToConfirm(app.user, host);
  return app;
}

async function conflictedEdit() {
  addPeering(backend.state());
  const app = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
  await press(app.user, "Next");
  await fill(app.user, "Port", "4000");
  addPeering(backend.state(), { remote_port: "5000" });
  backend.refuseOnce("updatePeerConfig", 409, {
    message: "This peering was changed meanwhile. Nothing of yours was deployed.",
  });
  await press(app.user, "Next");
  await press(app.user, "Submit");
  await screen.findByRole("button", { name: "Keep mine" });
  return app;
}

describe("a refused value", () => {
  it("is marked at its field if another AS uses it", async () => {
    const { user } = await confirmed("router.example.org");
    const message = "This key is already used by another participant. Every participant needs their own key.";
    backend.refuseOnce("updatePeerConfig", 409, { message, field: "public_key" });
    await press(user, "Submit");
    await screen.findByRole("heading", { name: "Your details" });
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
    expect(screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value)).toEqual([
      "router.example.org",
      "51820",
      publicKey,
      "172.20.201.1",
    ]);
  });
});

describe("a peering that was changed meanwhile", () => {
  it("stops Submit until a version is chosen", async () => {
    await conflictedEdit();
    expect(screen.getByRole("alert").textContent).toContain(
      "This peering was changed meanwhile. Nothing of yours was deployed. Everything you entered is still here.",
    );
    expect(forward("Submit").disabled).toBe(true);
  });

  it("is replaced by what was entered on 'Keep mine'", async () => {
    const { user } = await conflictedEdit();
    await press(user, "Keep mine");
    await screen.findByRole("button", { name: "Submit" });
    await press(user, "Submit");
    await screen.findByText("mock-3");
    const sent = backend.sent("updatePeerConfig").at(-1) as [unknown, Record<string, unknown>];
    expect([sent[1]["remote_port"], sent[1]["generation"]]).toEqual(["4000", 2]);
  });

  it("replaces what was entered on 'Load the current version'", async () => {
    const { user } = await conflictedEdit();
    await press(user, "Load the current version");
    await screen.findByRole("heading", { name: "BGP details" });
    await press(user, "Next");
    expect((await screen.findByRole<HTMLInputElement>("textbox", { name: "Port" })).value).toBe("5000");
  });
});

describe("a submit that fails", () => {
  it("leads to the login screen if the login session has ended, and back to the saved form", async () => {
    const { user, address } = await confirmed("router.example.org");
    backend.state().loggedInAs = null;
    await press(user, "Submit");
    await screen.findByRole("heading", { name: "Login page" });
    await enter(user, { ASN: participant.asn, Password: participant.password });
    await press(user, "Login");
    await screen.findByRole("heading", { name: "Confirm your details" });
    expect(screen.getByText("router.example.org")).toBeTruthy();
    expect(address()).toBe("/manager/updatepeer/new?step=confirmDetails");
  });
});

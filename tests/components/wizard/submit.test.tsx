import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { fillToConfirm, publicKey } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { forward, openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();

async function confirmed() {
  const app = await openWizard(backend);
  await fillToConfirm();
  return app;
}

async function conflictedEdit() {
  addPeering(backend.state());
  const app = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
  await press("Next");
  await fill({ Port: "4000" });
  addPeering(backend.state(), { remote_port: "5000" });
  backend.refuseOnce("updatePeerConfig", 409, {
    message: "This peering was changed meanwhile. Nothing of yours was deployed.",
  });
  await press("Next");
  await press("Submit");
  await screen.findByRole("button", { name: "Keep mine" });
  return app;
}

describe("a refused value", () => {
  it("is marked at its field if another AS uses it", async () => {
    await confirmed();
    const message = "This key is already used by another participant. Every participant needs their own key.";
    backend.refuseOnce("updatePeerConfig", 409, { message, field: "public_key" });
    await press("Submit");
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
    await conflictedEdit();
    await press("Keep mine");
    await screen.findByRole("button", { name: "Submit" });
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

describe("a submit that fails", () => {
  it("leads to the login screen if the login session has ended, and back to the saved form", async () => {
    const { address } = await confirmed();
    backend.state().loggedInAs = null;
    await press("Submit");
    await screen.findByRole("heading", { name: "Login page" });
    await fill({ ASN: participant.asn, Password: participant.password });
    await press("Login");
    await screen.findByRole("heading", { name: "Confirm your details" });
    expect(screen.getByText("router.example.org")).toBeTruthy();
    expect(address()).toBe("/manager/updatepeer/new?step=confirmDetails");
  });
});

it("the title names the chosen node while the submit of a new peering is pending", async () => {
  await confirmed();
  backend.reply("updatePeerConfig", () => new Promise<Response>(() => {}));
  await press("Submit");
  expect(await screen.findByRole("heading", { name: "Deploying to syd01.dn42.example.net" })).toBeTruthy();
});

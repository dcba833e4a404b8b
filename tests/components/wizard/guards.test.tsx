import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "../../../src/mocks/samples.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();

describe("the wizard's address", () => {
  it.each([
    ["an unknown type", "/manager/updatepeer/change?node=syd01"],
    ["an edit without a node", "/manager/updatepeer/edit"],
    ["an edit where there is no peering", "/manager/updatepeer/edit?node=per01"],
    ["a deletion without a node", "/manager/updatepeer/delete"],
    ["a deletion where there is no peering", "/manager/updatepeer/delete?node=per01"],
  ])("leads %s to /not-found", async (_, at) => {
    addPeering(backend.state());
    const { address } = await openWizard(backend, at);
    await screen.findByRole("heading", { name: "404 not found :(" });
    expect(address()).toBe("/not-found");
  });

  it("leads a deletion whose check fails to /not-found", async () => {
    addPeering(backend.state());
    backend.cutOff("checkPeerDeletionValidity");
    const { address } = await openWizard(backend, "/manager/updatepeer/delete?node=syd01");
    await screen.findByRole("heading", { name: "404 not found :(" });
    expect(address()).toBe("/not-found");
  });
});

describe("an edit", () => {
  it("starts at the family step from what runs, without Back", async () => {
    addPeering(backend.state());
    const { user } = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
    await screen.findByRole("heading", { name: "BGP details" });
    expect(screen.getByText("Change the peering on syd01.dn42.example.net · Step 1 of 3")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Back" })).toBeNull();
    await press(user, "Next");
    expect((await screen.findAllByRole<HTMLInputElement>("textbox")).map(({ value }) => value)).toEqual([
      "router.example.org",
      "51820",
      "xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=",
      "fe80::1:1",
    ]);
  });

  it("tells that the configuration could not be loaded, and tries again", async () => {
    addPeering(backend.state());
    backend.state().failing.push("getPeerConfig");
    const { user } = await openWizard(backend, "/manager/updatepeer/edit?node=syd01");
    const retry = await screen.findByRole("button", { name: "Retry" }, { timeout: 5_000 });
    backend.state().failing.length = 0;
    await user.click(retry);
    expect(await screen.findByRole("heading", { name: "BGP details" })).toBeTruthy();
  });
});

import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { addPeering } from "../../../src/mocks/samples.ts";
import { participant } from "../../../src/mocks/state.ts";
import { type Backend, openApp, useBackend } from "../accounts/open-app.tsx";
import { fillToConfirm, openWizard, press } from "../wizard/open-wizard.tsx";
import { stubBrowserParts } from "./browser-parts.ts";

const backend = useBackend();
afterEach(() => localStorage.clear());

const hint = /^On Submit your browser asks once whether we may notify you/;

async function confirmed(on: Backend) {
  const app = await openWizard(on);
  await fillToConfirm(app.user, "router.example.org");
  return app;
}

describe("the permission to notify", () => {
  it("is asked for on Submit, with a word before, and at no other time", async () => {
    const parts = stubBrowserParts("default");
    const { user, router } = await confirmed(backend);
    expect(screen.getByText(hint)).toBeTruthy();
    expect(parts.asked()).toBe(0);
    await press(user, "Submit");
    await screen.findByText("mock-1");
    expect(parts.asked()).toBe(1);
    await router.navigate({ to: "/manager" });
    await screen.findByText("On, also while no page of ours is open.");
    expect(parts.asked()).toBe(1);
  });

  it("is asked for when a peering is deleted, too", async () => {
    addPeering(backend.state());
    backend.state().signedIn = participant.asn;
    const parts = stubBrowserParts("default");
    const { user } = await openApp("/manager?node=syd01&tab=edit");
    await user.click(await screen.findByRole("button", { name: "Delete peering" }));
    await screen.findByText(/^On Yes your browser asks once/);
    expect(parts.asked()).toBe(0);
    await press(user, "Yes");
    await screen.findByRole("heading", { name: "Deleting the peering on syd01.dn42.example.net" });
    expect(parts.asked()).toBe(1);
  });

  it.each([
    ["denied", "Blocked by the browser."],
    ["default", "Off on this device."],
  ] as const)("is not asked for again after the answer %s", async (answer, told) => {
    const parts = stubBrowserParts("default");
    parts.answer = answer;
    const { user, router } = await confirmed(backend);
    await press(user, "Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager" });
    expect((await screen.findByText((text) => text.startsWith(told))).textContent).not.toContain("asks");
    await router.navigate({
      to: "/manager/updatepeer/$type",
      params: { type: "new" },
      search: { step: "confirmDetails" },
    });
    await screen.findByRole("button", { name: "Submit" });
    expect(screen.queryByText(hint)).toBeNull();
    await press(user, "Submit");
    await screen.findByText(/Another deployment of this peering is under way/);
    expect(parts.asked()).toBe(1);
  });
});

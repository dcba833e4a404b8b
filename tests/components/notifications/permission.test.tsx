import { screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { openWizard, press } from "../wizard/open-wizard.tsx";
import { stubBrowserApis } from "./stub-browser.ts";

const backend = useBackend();
afterEach(() => localStorage.clear());

const hint = /^When you press Submit, your browser asks once whether we may notify you/;

async function confirmed() {
  const app = await openWizard(backend);
  await fillToConfirm();
  return app;
}

describe("the permission to notify", () => {
  it("is requested on Submit, with a hint before, and at no other time", async () => {
    const browserApis = stubBrowserApis("default");
    const { router } = await confirmed();
    expect(screen.getByText(hint)).toBeTruthy();
    expect(browserApis.permissionRequests()).toBe(0);
    await press("Submit");
    await screen.findByText("mock-1");
    expect(browserApis.permissionRequests()).toBe(1);
    await router.navigate({ to: "/manager/settings" });
    await screen.findByText("On, even when the app is closed.");
    expect(browserApis.permissionRequests()).toBe(1);
  });

  it("is not read again by the screens that show it", async () => {
    const browserApis = stubBrowserApis("granted");
    const { router } = await openView(backend, "/manager?view=contact", "Contact");
    const reads = browserApis.permissionReads();
    await router.navigate({ to: "/manager/settings" });
    await screen.findByText("On, even when the app is closed.");
    expect(browserApis.permissionReads()).toBe(reads);
  });

  it("is requested on deletion, too", async () => {
    addPeering(backend.state);
    backend.state.loggedInAs = participant.asn;
    const browserApis = stubBrowserApis("default");
    const { user } = await openApp("/manager?node=syd01&tab=edit");
    await user.click(await screen.findByRole("button", { name: "Delete peering" }));
    await screen.findByText(/^When you press Yes, your browser asks once/);
    expect(browserApis.permissionRequests()).toBe(0);
    await press("Yes");
    await screen.findByRole("heading", { name: "Deleting the peering on syd01.dn42.example.net" });
    expect(browserApis.permissionRequests()).toBe(1);
  });

  it("is not requested again after a request without a decision", async () => {
    const browserApis = stubBrowserApis("default");
    browserApis.decision = "default";
    const { router } = await confirmed();
    await press("Submit");
    await screen.findByText("mock-1");
    await router.navigate({ to: "/manager/settings" });
    expect((await screen.findByText(/^Off on this device\./)).textContent).not.toContain("asks");
    await router.navigate({
      to: "/manager/updatepeer/$type",
      params: { type: "new" },
      search: { step: "confirmDetails" },
    });
    await screen.findByRole("button", { name: "Submit" });
    expect(screen.queryByText(hint)).toBeNull();
    backend.refuse("updatePeerConfig", 409, {
      message: "Another deployment of this peering is under way. Nothing of yours was deployed.",
    });
    await press("Submit");
    await screen.findByText(/Another deployment of this peering is under way/);
    expect(browserApis.permissionRequests()).toBe(1);
  });
});

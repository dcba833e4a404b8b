import { screen, within } from "@testing-library/react";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { pushQuery } from "#web/api/push.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { fillToConfirm } from "../../spec/jsdom/wizard.ts";
import { waitFor } from "../../support/wait-for.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { openWizard, press } from "../wizard/open-wizard.tsx";
import { stubBrowserApis } from "./stub-browser.ts";

const backend = useBackend();
afterEach(() => localStorage.clear());

const inPanel = () => within(screen.getByRole("region", { name: "Notifications" }));
const deployments = () => inPanel().getByRole<HTMLInputElement>("switch", { name: "Deployments" });
const sessions = () => inPanel().getByRole<HTMLInputElement>("switch", { name: "Sessions" });
const state = (text: string | RegExp) => screen.findByText(text);

const open = () => openView(backend, "/manager/settings", "Settings");

describe("the notifications of a device", () => {
  it("are renewed if they were created for another key of the server", async () => {
    const browserApis = stubBrowserApis("granted", new Uint8Array([4, 1, 2, 3]));
    const previous = browserApis.endpoint();
    await open();
    await state("On, even when the app is closed.");
    expect(browserApis.endpoint()).not.toBe(previous);
    expect(backend.state.pushSubscription?.endpoint).toBe(browserApis.endpoint());
  });

  it("are on if the browser allows them, can include sessions, and be switched off and on again", async () => {
    const browserApis = stubBrowserApis("granted");
    const { user } = await open();
    await state("On, even when the app is closed.");
    expect([deployments().checked, sessions().checked]).toEqual([true, false]);
    expect(backend.sent("savePushSubscription")).toEqual([
      {
        username: participant.asn,
        endpoint: browserApis.endpoint(),
        p256dh: "a key",
        auth: "a secret",
        alerts: false,
      },
    ]);
    await user.click(sessions());
    await waitFor(() => expect(sessions().checked).toBe(true));
    expect(backend.state.pushSubscription?.alerts).toBe(true);
    await user.click(deployments());
    await state("Off on this device.");
    expect(browserApis.endpoint()).toBeNull();
    await waitFor(() => expect(backend.state.pushSubscription).toBeNull());
    await user.click(deployments());
    await state("On, even when the app is closed.");
    expect(backend.state.pushSubscription?.endpoint).toBe(browserApis.endpoint());
    expect(browserApis.permissionRequests).toBe(0);
  });

  it("ask the browser for permission when they are switched on", async () => {
    const browserApis = stubBrowserApis("default");
    const { user } = await open();
    await state("Off on this device. Your browser asks for permission when you turn them on.");
    expect(sessions().disabled).toBe(true);
    await user.click(deployments());
    await state("On, even when the app is closed.");
    expect(browserApis.permissionRequests).toBe(1);
  });

  it("say how to allow notifications that the browser blocks", async () => {
    stubBrowserApis("denied");
    await open();
    await state(/^Blocked by the browser\. To allow them, open the browser's settings for this site/);
    expect([deployments().disabled, sessions().disabled]).toEqual([true, true]);
  });

  it("say that the browser does not support them", async () => {
    await open();
    await state("This browser does not support notifications. Deployments that finish are shown in the app.");
    expect(deployments().disabled).toBe(true);
    expect(inPanel().queryByRole("switch", { name: "Sessions" })).toBeNull();
  });

  it("offer no notifications about sessions in a browser without push", async () => {
    stubBrowserApis("granted", undefined, false);
    await open();
    await state(
      "On while the app is open. This browser has no push, so you are not notified when the app is closed.",
    );
    expect(deployments().checked).toBe(true);
    expect(inPanel().queryByRole("switch", { name: "Sessions" })).toBeNull();
    expect(backend.sent("savePushSubscription")).toEqual([]);
  });

  it("say what works without a push service", async () => {
    stubBrowserApis("granted").noPushService = true;
    await open();
    await state(/^On while the app is open\. This browser's push service is unreachable/);
    expect([deployments().checked, sessions().disabled]).toEqual([true, true]);
    expect(backend.sent("savePushSubscription")).toEqual([]);
  });

  it("are sent to a new subscription if the server refuses the browser's own for good", async () => {
    const browserApis = stubBrowserApis("granted");
    const { user } = await open();
    await state("On, even when the app is closed.");
    const refused = browserApis.endpoint();
    backend.refuseOnce("savePushSubscription", 422, { message: "Not that one.", field: "endpoint" });
    await user.click(sessions());
    await waitFor(() => expect(sessions().checked).toBe(true));
    expect(browserApis.endpoint()).not.toBe(refused);
    expect(backend.state.pushSubscription).toMatchObject({ endpoint: browserApis.endpoint(), alerts: true });
  });

  it.each([400, 404, 413, 422] as const)(
    "are off, and the browser has no subscription, if the server refuses a new one with %i too",
    async (status) => {
      const browserApis = stubBrowserApis("granted");
      const { user, router } = await open();
      await state("On, even when the app is closed.");
      await user.click(sessions());
      await waitFor(() => expect(sessions().checked).toBe(true));
      // The server no longer sends to this push service, and the participant comes back.
      backend.state.pushSubscription = null;
      backend.refuse("savePushSubscription", status, { message: "Not that one.", field: "endpoint" });
      const before = backend.sent("savePushSubscription").length;
      void router.options.context.queryClient.refetchQueries(pushQuery(participant.asn));
      await state(
        /^On while the app is open\. The server refused this browser's push subscription, and a new one too/,
      );
      expect([sessions().checked, sessions().disabled]).toEqual([false, true]);
      expect(browserApis.endpoint()).toBeNull();
      expect(backend.sent("savePushSubscription")).toHaveLength(before + 2);
    },
  );

  it.each([401, 429, 503] as const)(
    "keep the subscription if the server may accept it later: %i",
    async (status) => {
      const browserApis = stubBrowserApis("granted");
      const { user } = await open();
      await state("On, even when the app is closed.");
      const kept = browserApis.endpoint();
      backend.refuse("savePushSubscription", status, { message: "Later." });
      await user.click(sessions());
      await state("The setting was not changed. Later.");
      backend.restore("savePushSubscription");
      await user.click(sessions());
      await waitFor(() => expect(sessions().checked).toBe(true));
      expect(browserApis.endpoint()).toBe(kept);
      expect(backend.state.pushSubscription?.endpoint).toBe(kept);
    },
  );
});

it("reach the device again after the next login of the same AS, although the login session had the subscription", async () => {
  const browserApis = stubBrowserApis("granted");
  const { user } = await open();
  await state("On, even when the app is closed.");
  Object.assign(backend.state, { loggedInAs: null, pushSubscription: null });
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await fill({ ASN: participant.asn, Password: participant.password });
  await user.click(screen.getByRole("button", { name: "Login" }));
  await screen.findByRole("heading", { name: "Contact" });
  await waitFor(() => expect(backend.state.pushSubscription?.endpoint).toBe(browserApis.endpoint()));
});

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
    expect(browserApis.permissionRequests).toBe(0);
    await press("Submit");
    await screen.findByText("mock-1");
    expect(browserApis.permissionRequests).toBe(1);
    await router.navigate({ to: "/manager/settings" });
    await screen.findByText("On, even when the app is closed.");
    expect(browserApis.permissionRequests).toBe(1);
  });

  it("is not read again by the screens that show it", async () => {
    const browserApis = stubBrowserApis("granted");
    const { router } = await openView(backend, "/manager?view=contact", "Contact");
    const reads = browserApis.permissionReads;
    await router.navigate({ to: "/manager/settings" });
    await screen.findByText("On, even when the app is closed.");
    expect(browserApis.permissionReads).toBe(reads);
  });

  it("is requested on deletion, too", async () => {
    addPeering(backend.state);
    const browserApis = stubBrowserApis("default");
    await openWizard(backend, "/manager?node=syd01&tab=edit");
    await press("Delete peering");
    await screen.findByText(/^When you press Yes, your browser asks once/);
    expect(browserApis.permissionRequests).toBe(0);
    await press("Yes");
    await screen.findByRole("heading", { name: "Deleting the peering on syd01.dn42.example.net" });
    expect(browserApis.permissionRequests).toBe(1);
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
    expect(browserApis.permissionRequests).toBe(1);
  });
});

// Last, since the device remembers that the logout is pending.
it("end with the login session at once, even if the server is unreachable", async () => {
  // Without storage the device would not remember that the logout is pending, and subscribe again.
  vi.stubGlobal("indexedDB", new IDBFactory());
  vi.stubGlobal("IDBKeyRange", IDBKeyRange);
  const browserApis = stubBrowserApis("granted");
  const { user, router } = await open();
  await state("On, even when the app is closed.");
  backend.cutOff("logout");
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await waitFor(() => expect(browserApis.endpoint()).toBeNull());
  expect(browserApis.closed).toBe(1);
  // A slow device still shows a screen that subscribes, without its data, while the next one is loaded.
  await router.options.context.queryClient.fetchQuery(pushQuery(participant.asn));
  expect(browserApis.endpoint()).toBeNull();
});

import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { stubBrowserParts } from "./browser-parts.ts";

const backend = useBackend();
afterEach(() => localStorage.clear());

const inPanel = () => within(screen.getByRole("region", { name: "Notifications" }));
const deployments = () => inPanel().getByRole<HTMLInputElement>("switch", { name: "Deployments" });
const sessions = () => inPanel().getByRole<HTMLInputElement>("switch", { name: "Sessions" });
const state = (text: string | RegExp) => screen.findByText(text);

async function open() {
  return openView(backend, "/manager", "Dashboard");
}

describe("the notifications of a device", () => {
  it("are on where they may be, and the server knows where to send them", async () => {
    const parts = stubBrowserParts("granted");
    await open();
    await state("On, also while no page of ours is open.");
    expect([deployments().checked, sessions().checked]).toEqual([true, false]);
    expect(backend.sent("savePushSubscription")).toEqual([
      {
        username: participant.asn,
        endpoint: parts.subscribed(),
        p256dh: "a key",
        auth: "a secret",
        alerts: false,
      },
    ]);
  });

  it("are renewed where they were made for another key of the server", async () => {
    const parts = stubBrowserParts("granted", new Uint8Array([4, 1, 2, 3]));
    const former = parts.subscribed();
    await open();
    await state("On, also while no page of ours is open.");
    expect(parts.subscribed()).not.toBe(former);
    expect(backend.state().pushSubscription?.endpoint).toBe(parts.subscribed());
  });

  it("can be switched off and on again", async () => {
    const parts = stubBrowserParts("granted");
    const { user } = await open();
    await state("On, also while no page of ours is open.");
    await user.click(deployments());
    await state("Off on this device.");
    expect(parts.subscribed()).toBeNull();
    await vi.waitFor(() => expect(backend.state().pushSubscription).toBeNull());
    await user.click(deployments());
    await state("On, also while no page of ours is open.");
    expect(backend.state().pushSubscription?.endpoint).toBe(parts.subscribed());
    expect(parts.asked()).toBe(0);
  });

  it("tell of sessions as well where that is wanted", async () => {
    stubBrowserParts("granted");
    const { user } = await open();
    await state("On, also while no page of ours is open.");
    await user.click(sessions());
    await vi.waitFor(() => expect(sessions().checked).toBe(true));
    expect(backend.state().pushSubscription?.alerts).toBe(true);
  });

  it("ask the browser when a person switches them on", async () => {
    const parts = stubBrowserParts("default");
    const { user } = await open();
    await state("Off on this device. Your browser asks for your permission when you switch them on.");
    expect(sessions().disabled).toBe(true);
    await user.click(deployments());
    await state("On, also while no page of ours is open.");
    expect(parts.asked()).toBe(1);
  });

  it("say how to mend what the browser blocks", async () => {
    stubBrowserParts("denied");
    await open();
    await state(/^Blocked by the browser\. To mend it, open the browser's settings for this site/);
    expect([deployments().disabled, sessions().disabled]).toEqual([true, true]);
  });

  it("say that there are none in a browser without them", async () => {
    await open();
    await state("This browser shows no notifications. While a page of ours is open, it tells you there.");
    expect(deployments().disabled).toBe(true);
  });

  it("say what works without a push service", async () => {
    stubBrowserParts("granted").noPushService = true;
    await open();
    await state(/^On while a page of ours is open\. This browser's push service could not be reached/);
    expect([deployments().checked, sessions().disabled]).toEqual([true, true]);
    expect(backend.sent("savePushSubscription")).toEqual([]);
  });

  it("say when the server does not send to the browser's push service", async () => {
    stubBrowserParts("granted");
    backend.refuse("savePushSubscription", 422, { message: "Not that one.", field: "endpoint" });
    await open();
    await state(/Our server does not send to this browser's push service/);
    expect(sessions().disabled).toBe(true);
  });
});

it("reach the device again when the same person signs in again, since the server's part went with the session", async () => {
  const parts = stubBrowserParts("granted");
  const { user } = await open();
  await state("On, also while no page of ours is open.");
  Object.assign(backend.state(), { signedIn: null, pushSubscription: null });
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await user.type(await screen.findByLabelText("ASN"), participant.asn);
  await user.type(screen.getByLabelText("Password"), participant.password);
  await user.click(screen.getByRole("button", { name: "Login" }));
  await screen.findByRole("heading", { name: "Contact" });
  await vi.waitFor(() => expect(backend.state().pushSubscription?.endpoint).toBe(parts.subscribed()));
});

it("end with the session at once, whether or not the server can be told", async () => {
  const parts = stubBrowserParts("granted");
  const { user } = await open();
  await state("On, also while no page of ours is open.");
  backend.cutOff("logout");
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await vi.waitFor(() => expect(parts.subscribed()).toBeNull());
  expect(parts.closed()).toBe(1);
});

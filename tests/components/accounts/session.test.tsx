import { act, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { participant } from "#mocks/state.ts";
import { syncLoginSessionAcrossTabs } from "#web/api/login-session.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { chooseNode, family } from "../../spec/jsdom/wizard.ts";
import { openedStream, openOtherTab, useStubStream } from "../deployments/live-scene.ts";
import { openView } from "../manager/open-view.tsx";
import { openWizard, press } from "../wizard/open-wizard.tsx";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

const openManager = () => openView(backend, "/manager", "Dashboard");

const report = (type: "offline" | "online") => act(() => void window.dispatchEvent(new Event(type)));

describe("the guard", () => {
  it("does not wait for the response if a login session is known", async () => {
    const { user } = await openManager();
    const before = backend.sent("authStatus").length;
    backend.state.hanging.push("authStatus");
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Contact" });
    expect(backend.sent("authStatus").length).toBeGreaterThan(before);
  });
  it("uses the prefetched login session once, and then asks the server", async () => {
    const session = { isAuthenticated: true, username: participant.asn };
    Object.assign(window, { prefetchedAuthStatus: Promise.resolve(Response.json(session)) });
    const { user } = await openManager();
    expect(backend.sent("authStatus")).toEqual([]);
    backend.state.loggedInAs = null;
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Login page" });
  });
});

async function openLogin() {
  const app = await openApp("/login");
  await screen.findByRole("button", { name: "Login" });
  const visited: string[] = [];
  app.router.subscribe("onBeforeLoad", ({ toLocation, hrefChanged }) => {
    if (hrefChanged) visited.push(toLocation.href);
  });
  const { queryClient, onLoginSessionEnd } = app.router.options.context;
  onTestFinished(syncLoginSessionAcrossTabs(queryClient, onLoginSessionEnd));
  return { ...app, visited, send: openOtherTab().send };
}
const manager = () => screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });

describe("a tab at the login screen", () => {
  it("follows a login in another tab while its own auth status is pending", async () => {
    const { router, send, address } = await openLogin();
    backend.state.hanging.push("authStatus");
    const before = backend.sent("authStatus").length;
    await router.navigate({ to: "/login", search: { tab: "resetPassword" } });
    await router.navigate({ to: "/login" });
    await expect.poll(() => backend.sent("authStatus").length).toBe(before + 1);
    backend.state.hanging.length = 0;
    backend.state.loggedInAs = participant.asn;
    send({ type: "logged-in", username: participant.asn });
    await manager();
    expect(address()).toBe("/manager");
  });

  it("leads on once when a later auth status says that an AS is logged in", async () => {
    const { router, visited, address } = await openLogin();
    backend.reply("authStatus", () => {
      const isAuthenticated = router.latestLocation.pathname === "/login";
      return Response.json({ isAuthenticated, username: isAuthenticated ? participant.asn : "" });
    });
    await router.invalidate();
    await expect.poll(() => visited).toContain("/manager");
    await expect.poll(() => router.state.status === "idle" && address()).toBe("/login");
    const before = visited.length;
    await router.invalidate();
    await expect.poll(() => router.state.status === "idle" && address()).toBe("/login");
    expect(visited).toHaveLength(before);
  });
});

it("the public frame says that a demo is one and where its mail is", async () => {
  await openApp("/login");
  await screen.findByRole("heading", { name: "Login page" });
  expect(screen.getByText(/^Demo network with simulated routers and history\./)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Demo mail" }).getAttribute("href")).toBe("/demo/outbox");
});

/** Another account logs in from another tab: data of the first account disappears from this one. */
describe("a login as another AS", () => {
  const other = "4242420002";
  const otherAccountLabel = () => screen.findAllByText(`AS${other}`);

  useStubStream();
  beforeEach(() => {
    backend.state.accounts[other] = "password";
  });

  it("restarts the wizard", async () => {
    await openWizard(backend);
    await chooseNode();
    await family("IPv4");
    await press("Next");
    await fill({ "Public IP or hostname": "router.of-the-first.example" });
    backend.state.loggedInAs = other;
    await press("Back");
    await otherAccountLabel();
    await screen.findByRole("heading", { name: "Select a node" });
    expect(screen.queryByRole("button", { pressed: true })).toBeNull();
    await chooseNode();
    await family("IPv4");
    await press("Next");
    const host = await screen.findByRole<HTMLInputElement>("textbox", { name: "Public IP or hostname" });
    expect(host.value).toBe("");
  });

  it("empties the message that was being written", async () => {
    const { user } = await openView(backend, "/manager?view=contact", "Contact");
    await fill({ "Your message": "From the first." });
    backend.state.loggedInAs = other;
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await otherAccountLabel();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Your message").value).toBe("");
  });

  it("is detected through the event stream, and the open form is discarded", async () => {
    await openWizard(backend);
    await chooseNode();
    const stream = await openedStream();
    backend.state.loggedInAs = other;
    stream.say("hello", { username: other });
    await otherAccountLabel();
    await screen.findByRole("heading", { name: "Select a node" });
    expect(screen.queryByText(`AS${participant.asn}`)).toBeNull();
  });
});

const contactNotice = () =>
  screen.queryByText(/^The server is unreachable, so messages cannot be sent now\./);
const offlineNotice = () => screen.queryByText(/^No connection to the server\./);

describe("a server that gives no response", () => {
  useStubStream();

  it("is noticed by a screen without reads when the event stream is lost, until it is back", async () => {
    await openView(backend, "/manager?view=contact", "Contact");
    const stream = await openedStream();
    const connect = () => stream.say("hello", { username: participant.asn });
    connect();
    expect([contactNotice(), offlineNotice()]).toEqual([null, null]);
    for (const name of ["authStatus", "getTasks", "getPeerStatus"] as const) backend.cutOff(name);
    stream.fail(0);
    await screen.findByText(/^No connection to the server\./, {}, { timeout: 5_000 });
    expect(contactNotice()).toBeTruthy();
    backend.restore();
    connect();
    await expect.poll(() => [contactNotice(), offlineNotice()]).toEqual([null, null]);
  });
  it("is noticed when the browser reports that it is offline, unless the server responds", async () => {
    await openView(backend, "/manager?view=contact", "Contact");
    const asked = () => backend.sent("authStatus").length;
    onTestFinished(() => report("online"));
    const before = asked();
    report("offline");
    await expect.poll(asked).toBe(before + 1);
    report("online");
    await expect.poll(asked).toBe(before + 2);
    expect(offlineNotice()).toBeNull();
    backend.cutOff("authStatus");
    report("offline");
    await screen.findByText("No connection to the server. Showing the last known data.");
    backend.restore();
    report("online");
    await expect.poll(offlineNotice).toBeNull();
  });
  it("is said without last known data on a screen that shows none", async () => {
    backend.state.loggedInAs = null;
    await openLogin();
    backend.cutOff("authStatus");
    act(() => void window.dispatchEvent(new Event("offline")));
    onTestFinished(() => act(() => void window.dispatchEvent(new Event("online"))));
    expect((await screen.findByText(/^No connection to the server\./)).textContent).toBe(
      "No connection to the server.",
    );
  });
});

import { screen } from "@testing-library/react";
import { describe, expect, it, onTestFinished } from "vitest";
import { participant } from "#mocks/state.ts";
import { syncLoginSessionAcrossTabs } from "#web/api/login-session.ts";
import type { TabMessage } from "#web/browser/tabs.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openManager() {
  backend.state.loggedInAs = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { level: 1 });
  return app;
}

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
  const otherTab = new BroadcastChannel("peerdeck");
  onTestFinished(() => otherTab.close());
  return { ...app, visited, send: (message: TabMessage) => otherTab.postMessage(message) };
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

import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { provider } from "../../../src/mocks/provider.ts";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openManager() {
  backend.state().signedIn = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { level: 1 });
  return app;
}

describe("the guard", () => {
  it("asks who is signed in before every navigation", async () => {
    const { user } = await openApp("/login");
    await user.click(await screen.findByRole("link", { name: "Register for an account" }));
    await screen.findByRole("heading", { name: "Register" });
    const before = backend.sent("authStatus").length;
    await user.click(screen.getByRole("link", { name: "Already have an account? Login" }));
    await screen.findByRole("heading", { name: "Login page" });
    expect(backend.sent("authStatus").length).toBeGreaterThan(before);
  });

  it("does not wait for the answer where somebody is known to be signed in", async () => {
    const { user } = await openManager();
    const before = backend.sent("authStatus").length;
    backend.answer("authStatus", (() => new Promise(() => undefined)) as never);
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Contact" });
    expect(backend.sent("authStatus").length).toBeGreaterThan(before);
  });

  it("sends whose session has ended to the login screen, and back from there", async () => {
    const { user, address } = await openManager();
    backend.state().signedIn = null;
    // This screen asks the server for nothing that could be refused.
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Login page" });
    expect(address()).toBe("/login?from=%2Fmanager%3Fview%3Dcontact");
  });

  it("takes the answer that the page has asked for while the app was loading, and the next from the server", async () => {
    const session = { isAuthenticated: true, username: participant.asn };
    Object.assign(window, { askedSession: Promise.resolve(Response.json(session)) });
    const { user } = await openManager();
    expect(backend.sent("authStatus")).toEqual([]);
    backend.state().signedIn = null;
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Login page" });
  });

  it("sends a visitor from the manager to the login screen", async () => {
    const { address } = await openApp("/manager");
    expect(await screen.findByRole("heading", { name: "Login page" })).toBeTruthy();
    expect(address()).toBe("/login");
  });

  it.each([
    ["refuses", () => backend.refuse("authStatus", 500, { message: "No database." })],
    ["is not answered", () => backend.cutOff("authStatus")],
  ])("counts a check that %s as signed out", async (_, happens) => {
    backend.state().signedIn = participant.asn;
    happens();
    const { address } = await openApp("/manager");
    await screen.findByRole("heading", { name: "Login page" });
    expect(address()).toBe("/login");
  });

  it.each(["/nowhere", "/manager/nowhere", "/login/nowhere"])("leads %s to /not-found", async (path) => {
    backend.state().signedIn = participant.asn;
    const { address } = await openApp(path);
    expect(await screen.findByRole("heading", { name: "404 not found :(" })).toBeTruthy();
    expect(address()).toBe("/not-found");
  });
});

describe("the public frame", () => {
  it("names the provider, leads to the public screens and marks the shown one", async () => {
    await openApp("/");
    expect(await screen.findByRole("link", { name: provider.name })).toBeTruthy();
    const links = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("aria-current")])).toEqual([
      ["Home", "page"],
      ["Status", null],
      ["Map", null],
      ["About", null],
    ]);
    expect(screen.getByRole("link", { name: "Go to Peering Manager" }).getAttribute("href")).toBe("/manager");
    expect(document.title).toBe(`Home · ${provider.name}`);
  });

  it("takes the focus to the heading of the next screen, not of the first", async () => {
    const { user } = await openApp("/login");
    await screen.findByRole("heading", { name: "Login page" });
    expect(document.activeElement).toBe(document.body);
    await user.click(screen.getByRole("link", { name: "Register for an account" }));
    const heading = await screen.findByRole("heading", { name: "Register" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it("says that a demo is one and where its mail is", async () => {
    await openApp("/login");
    await screen.findByRole("heading", { name: "Login page" });
    expect(screen.getByText(/^Demo network with simulated routers\./)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Demo mail" }).getAttribute("href")).toBe("/demo/outbox");
  });

  it("offers a retry when the provider's facts cannot be had", async () => {
    backend.refuse("provider", 404, { message: "There is no provider profile." });
    await openApp("/");
    expect((await screen.findByRole("alert")).textContent).toContain("There is no provider profile.");
    expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  });
});

describe("the manager's frame", () => {
  it("says whose manager it is and who is signed in", async () => {
    await openManager();
    const header = within(screen.getByRole("banner"));
    expect(header.getByRole("heading", { level: 1 }).textContent).toBe(`${provider.name} Peering Manager`);
    expect(header.getByText(`Manage your own connections to the ${provider.name} network.`)).toBeTruthy();
    expect(header.getByText(`AS${provider.asn}`)).toBeTruthy();
    expect(header.getByText(`AS${participant.asn}`)).toBeTruthy();
  });

  it("opens and closes the side menu", async () => {
    const { user } = await openManager();
    const button = screen.getByRole("button", { name: "= menu" });
    const menu = document.getElementById(button.getAttribute("aria-controls") ?? "");
    expect(menu?.hidden).toBe(false);
    expect(within(menu ?? document.body).getByText(`AS${participant.asn}`)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Dashboard" }).getAttribute("aria-current")).toBe("page");
    await user.click(button);
    expect(menu?.hidden).toBe(true);
    expect(button.getAttribute("aria-expanded")).toBe("false");
  });

  it("logs out and goes home", async () => {
    const { user, address } = await openManager();
    await user.click(screen.getByRole("button", { name: "Logout" }));
    await screen.findByRole("link", { name: "Go to Peering Manager" });
    expect(address()).toBe("/");
    expect(backend.state().signedIn).toBeNull();
  });

  it("forgets the person here even when the server does not end the session", async () => {
    backend.refuse("logout", 503, { message: "The database is locked." });
    const { user, address } = await openManager();
    await user.click(screen.getByRole("button", { name: "Logout" }));
    await screen.findByRole("link", { name: "Go to Peering Manager" });
    expect(address()).toBe("/");
  });
});

import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { participant } from "../../../src/mocks/state.ts";
import { openApp, useBackend } from "./open-app.tsx";

const backend = useBackend();

async function openManager() {
  backend.state().loggedInAs = participant.asn;
  const app = await openApp("/manager");
  await screen.findByRole("heading", { level: 1 });
  return app;
}

describe("the guard", () => {
  it("does not wait for the response if a login session is known", async () => {
    const { user } = await openManager();
    const before = backend.sent("authStatus").length;
    backend.reply("authStatus", (() => new Promise(() => undefined)) as never);
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Contact" });
    expect(backend.sent("authStatus").length).toBeGreaterThan(before);
  });
  it("uses the prefetched login session once, and then asks the server", async () => {
    const session = { isAuthenticated: true, username: participant.asn };
    Object.assign(window, { prefetchedAuthStatus: Promise.resolve(Response.json(session)) });
    const { user } = await openManager();
    expect(backend.sent("authStatus")).toEqual([]);
    backend.state().loggedInAs = null;
    await user.click(screen.getByRole("link", { name: "Contact" }));
    await screen.findByRole("heading", { name: "Login page" });
  });
});

describe("the public frame", () => {
  it("says that a demo is one and where its mail is", async () => {
    await openApp("/login");
    await screen.findByRole("heading", { name: "Login page" });
    expect(screen.getByText(/^Demo network with simulated routers and history\./)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Demo mail" }).getAttribute("href")).toBe("/demo/outbox");
  });

  it("offers to retry when the provider's facts cannot be loaded", async () => {
    backend.refuse("provider", 500, { message: "The provider profile could not be read." });
    await openApp("/");
    expect((await screen.findByRole("alert")).textContent).toContain(
      "The provider profile could not be read.",
    );
    expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
  });
});

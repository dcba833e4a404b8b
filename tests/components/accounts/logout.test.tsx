/** Logouts whose tab is closed too early, and responses that arrive too late. */
import { screen } from "@testing-library/react";
import { expect, it, onTestFinished, vi } from "vitest";
import { readLogoutState, readOwner, requestLogout, setOwner } from "#browser-storage/owner.ts";
import { readStoredDraft, saveStoredDraft } from "#browser-storage/stored-drafts.ts";
import { participant } from "#mocks/state.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { openApp, useBackend } from "./open-app.tsx";
import { openView } from "../manager/open-view.tsx";

const backend = useBackend();
useIndexedDb();

it("an auth status that arrives after the logout does not log in again", async () => {
  const { user, router } = await openView(backend, "/manager", "Dashboard");
  await expect.poll(readOwner).toBe(participant.asn);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const responses: string[] = [];
  // The first response is held back; the later ones are not.
  backend.reply("authStatus", async () => {
    const username = backend.state.loggedInAs ?? "";
    if (username !== "") await released;
    responses.push(username);
    return Response.json({ isAuthenticated: username !== "", username });
  });
  const before = backend.sent("authStatus").length;
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await expect.poll(() => backend.sent("authStatus").length).toBe(before + 1);
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await screen.findByRole("link", { name: "Go to Peering Manager" });
  await expect.poll(() => responses).toEqual([""]);
  release();
  await expect.poll(() => responses).toEqual(["", participant.asn]);
  await router.navigate({ to: "/manager" });
  await screen.findByRole("heading", { name: "Login page" });
  expect(await readOwner()).toBeUndefined();
});

it("requests in progress are cancelled before the logout, and repeated if the server refuses it", async () => {
  const warn = vi.spyOn(console, "warn");
  onTestFinished(() => warn.mockRestore());
  const { promise: overtaken, resolve: respond } = Promise.withResolvers<Response>();
  backend.reply("getTasks", () => {
    // The repeated request gets a response of its own.
    backend.restore("getTasks");
    return overtaken;
  });
  const { user } = await openView(backend, "/manager", "Dashboard");
  await expect.poll(() => backend.sent("getTasks").length).toBe(1);
  backend.reply("logout", () => {
    respond(Response.json({ message: "" }, { status: 401 }));
    return Response.json({ message: "" }, { status: 422 });
  });
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await screen.findByText(/could not log you out/);
  await expect.poll(() => backend.sent("getTasks").length).toBe(2);
  expect(warn.mock.calls).toEqual([[expect.stringContaining("/api/logout")]]);
});

it("a logout whose tab was closed before the server responded is finished by the tab that opens next", async () => {
  const { asn } = participant;
  backend.state.loggedInAs = asn;
  await setOwner(asn);
  await saveStoredDraft(asn, ["contact"], { message: "Hello" });
  const minuteAgo = Date.now() - 60_000;
  const now = vi.spyOn(Date, "now").mockReturnValue(minuteAgo);
  onTestFinished(() => now.mockRestore());
  await requestLogout();
  now.mockRestore();
  await openApp("/manager");
  await screen.findByRole("heading", { name: "Login page" });
  expect(backend.state.loggedInAs).toBeNull();
  expect(await readLogoutState()).toBe("none");
  expect(await readStoredDraft(asn, ["contact"])).toBeUndefined();
});

it("a logout that is refused after a navigation is reported there, until the next one", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  backend.reply("logout", async () => {
    await released;
    return Response.json({ message: "" }, { status: 422 });
  });
  const { user } = await openView(backend, "/manager", "Dashboard");
  await user.click(screen.getByRole("button", { name: "Logout" }));
  await user.click(screen.getByRole("link", { name: "Contact" }));
  await screen.findByRole("heading", { name: "Contact" });
  release();
  await screen.findByText(/could not log you out/);
  await user.click(screen.getByRole("link", { name: "Settings" }));
  await screen.findByRole("heading", { name: "Settings" });
  expect(screen.queryByText(/could not log you out/)).toBeNull();
});

import { act, screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import type { Passkey } from "#contract/call-tables/accounts/passkey-calls.ts";
import { provider } from "#mocks/provider.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";
import { passkeyId, stubCredentials } from "./stub-credentials.ts";

const backend = useBackend();
const username = participant.asn;

const blue: Passkey = {
  id: passkeyId,
  name: "Blue key",
  created: Date.UTC(2026, 2, 14),
  last_used: Date.UTC(2026, 2, 15),
  host: "peering.example.net",
  here: true,
};
const inner: Passkey = {
  ...blue,
  id: "b3RoZXI",
  name: "Phone",
  last_used: null,
  host: "in.example",
  here: false,
};

const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });
const openSettings = () => openView(backend, "/manager/settings", "Settings");
const list = async () => within(await screen.findByRole("list", { name: "Passkeys" }));

describe("Log in with a passkey", () => {
  it("logs in without the AS, and leads to the address that required the login", async () => {
    stubCredentials();
    backend.state.passkeys = [blue];
    const { user, address } = await openApp("/manager/activity");
    await user.click(await button("Log in with a passkey"));
    await screen.findByRole("heading", { name: "Activity" });
    expect(address()).toBe("/manager/activity");
    expect(backend.state.loggedInAs).toBe(username);
    expect(backend.sent("finishPasskeyLogin")).toMatchObject([{ credential: { id: passkeyId } }]);
  });

  it.each([
    ["NotAllowedError", /^No passkey was used: it was cancelled/],
    ["SecurityError", /^Passkeys do not work at this address/],
    ["NotSupportedError", /^This browser or device does not support passkeys/],
    ["UnknownError", /^The browser could not use a passkey/],
  ])("says after %s what to do, and can be repeated", async (name, text) => {
    const browser = stubCredentials();
    backend.state.passkeys = [blue];
    browser.fail = name;
    const { user, address } = await openApp("/login");
    await user.click(await button("Log in with a passkey"));
    expect((await screen.findByRole("alert")).textContent).toMatch(text);
    expect(address()).toBe("/login");
    browser.fail = "";
    await user.click(await button("Log in with a passkey"));
    await screen.findByRole("heading", { level: 1, name: /Peering Manager$/ });
  });

  it("says that a removed passkey is not accepted, and what the server says of a block", async () => {
    stubCredentials();
    const { user } = await openApp("/login");
    await user.click(await button("Log in with a passkey"));
    expect((await screen.findByRole("alert")).textContent).toMatch(/^This passkey is not accepted here/);
    backend.refuseOnce("finishPasskeyLogin", 403, { message: "AS4242420001 is blocked: Leaks." });
    await user.click(await button("Log in with a passkey"));
    expect(await screen.findByText("AS4242420001 is blocked: Leaks.")).toBeTruthy();
  });

  it.each(["browser", "server"])("is not offered if the %s has no passkeys", async (lacks) => {
    if (lacks === "server") stubCredentials();
    const waysIn = lacks === "server" ? ["ssh"] : ["passkey"];
    backend.reply("provider", { ...provider, ways_in: waysIn });
    await openApp("/login");
    await screen.findByRole("button", { name: "Login" });
    expect(screen.queryByRole("button", { name: "Log in with a passkey" })).toBeNull();
  });
});

describe("the panel of passkeys", () => {
  it("adds one with the name of the browser, or with an entered one", async () => {
    const browser = stubCredentials();
    const { user } = await openSettings();
    const form = within(await screen.findByRole("form", { name: "Add a passkey" }));
    expect(form.getByLabelText<HTMLInputElement>("Name of a new passkey").value).toMatch(
      / on Linux$|^Unknown browser/,
    );
    await fill({ "Name of a new passkey": " " });
    await user.click(form.getByRole("button"));
    expect(await screen.findByText(/^Enter a name/)).toBeTruthy();
    expect(browser.created).toEqual([]);
    await fill({ "Name of a new passkey": "Blue key" });
    await user.click(form.getByRole("button"));
    expect(await screen.findByText("The passkey was added.")).toBeTruthy();
    expect((await list()).getByText("Blue key").closest("li")?.textContent).toContain("not used yet");
    expect(browser.created).toMatchObject([{ publicKey: { rp: { id: "localhost" } } }]);
    expect((await button("Turn the password off…")).disabled).toBe(true);
  });

  it("says that a device has one already, and keeps what was entered", async () => {
    const browser = stubCredentials();
    browser.fail = "InvalidStateError";
    const { user } = await openSettings();
    await fill({ "Name of a new passkey": "Blue key" });
    await user.click(await button("Add a passkey"));
    expect(await screen.findByText("This device has a passkey of this account already.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("Name of a new passkey").value).toBe("Blue key");
  });

  it("removes one after a question, also if another window has removed it", async () => {
    stubCredentials();
    backend.state.passkeys = [blue, inner];
    const { user } = await openSettings();
    expect((await list()).getByText("Phone").closest("li")?.textContent).toContain(
      "works only at in.example",
    );
    await user.click(await button("Remove… the passkey Blue key"));
    const dialog = within(await screen.findByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    expect(backend.sent("removePasskey")).toEqual([]);
    await user.click(await button("Remove… the passkey Blue key"));
    await user.click(await button("Remove"));
    await vi.waitFor(async () => expect((await list()).getAllByRole("listitem")).toHaveLength(1));
    backend.refuseOnce("removePasskey", 404, { message: "This passkey was removed before.", field: "id" });
    await user.click(await button("Remove… the passkey Phone"));
    await user.click(await button("Remove"));
    await vi.waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  });

  it("turns the password off, which changes the panels beside it", async () => {
    stubCredentials();
    backend.state.passkeys = [blue];
    const { user } = await openSettings();
    expect(await screen.findByRole("form", { name: "Change password" })).toBeTruthy();
    await user.click(await button("Turn the password off…"));
    await user.click(await button("Turn the password off"));
    expect(await screen.findByText(/^The password is turned off: only passkeys log in\./)).toBeTruthy();
    expect(screen.queryByRole("form", { name: "Change password" })).toBeNull();
    expect(screen.queryByRole("button", { name: "Turn the password off…" })).toBeNull();
    await user.click(await button("Remove… the passkey Blue key"));
    await user.click(await button("Remove"));
    expect(await screen.findByText(/no other passkey would be left/)).toBeTruthy();
    await user.click(await button("Cancel"));

    await user.click(await button("Delete the account…"));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.queryByLabelText("Password")).toBeNull();
    const confirm = dialog.getByRole<HTMLButtonElement>("button", { name: "Delete the account" });
    await vi.waitFor(() => expect(confirm.disabled).toBe(false));
    await user.click(confirm);
    await screen.findByRole("heading", { name: "Deletion of the account" });
  });

  it("leads to the login and back if the login is too old for a change", async () => {
    stubCredentials();
    backend.state.passkeys = [blue];
    backend.state.isLoginOld = true;
    const { user, address } = await openSettings();
    await user.click(await button("Add a passkey"));
    expect(await screen.findByText(/^Log in again to change this/)).toBeTruthy();
    await user.click(await button("Log in again"));
    await user.click(await button("Log in with a passkey"));
    await screen.findByRole("heading", { name: "Settings" });
    expect(address()).toBe("/manager/settings");
    await user.click(await button("Remove… the passkey Blue key"));
    await user.click(await button("Remove"));
    await vi.waitFor(() => expect(screen.queryByRole("list", { name: "Passkeys" })).toBeNull());
  });

  it("says if this browser has no passkeys", async () => {
    await openSettings();
    expect(await screen.findByText(/^This browser does not support passkeys/)).toBeTruthy();
  });

  it("is absent on a server that lacks the calls", async () => {
    stubCredentials();
    backend.refuse("getPasskeys", 404, { message: "No such call." });
    await openSettings();
    await screen.findByRole("form", { name: "Change password" });
    await vi.waitFor(() => expect(screen.queryByRole("region", { name: "Passkeys" })).toBeNull());
  });

  it("changes nothing while the server cannot be reached", async () => {
    stubCredentials();
    backend.state.passkeys = [blue];
    const { queryClient } = await openSettings();
    expect((await button("Add a passkey")).disabled).toBe(false);
    backend.cutOff("getPasskeys");
    await act(() => queryClient.invalidateQueries({ queryKey: ["passkeys", username] }));
    await vi.waitFor(async () => expect((await button("Add a passkey")).disabled).toBe(true));
    expect((await button("Remove… the passkey Blue key")).disabled).toBe(true);
    expect((await button("Turn the password off…")).disabled).toBe(true);
    expect(screen.getByText(/^The server is unreachable, so nothing can be changed now/)).toBeTruthy();
  });

  it("is absent at an address without passkeys, unless there are some to remove", async () => {
    stubCredentials();
    backend.reply("provider", { ...provider, ways_in: ["ssh"] });
    await openSettings();
    await screen.findByRole("form", { name: "Change password" });
    expect(screen.queryByRole("region", { name: "Passkeys" })).toBeNull();
  });
});

import { screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";

const backend = useBackend();
const username = participant.asn;
const password: string = participant.password;

const open = () => openView(backend, "/manager/settings", "Settings");
const passwordForm = () => within(screen.getByRole("form", { name: "Change password" }));
const field = (label: string) => passwordForm().getByLabelText<HTMLInputElement>(label);
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>("button", { name });

async function enterPasswords({
  current = password,
  next = "a long new sentence",
  again = "a long new sentence",
} = {}) {
  await fill({ "Current password": current, "New password": next, "Confirm new password": again });
}

describe("the settings of an account", () => {
  it("shows each error at its field and keeps what was typed, then changes the password and empties the form", async () => {
    const { user } = await open();
    await enterPasswords({ again: "another sentence" });
    await user.keyboard("{Enter}");
    expect(await screen.findByText("The new passwords do not match.")).toBeTruthy();
    expect(backend.sent("changePassword")).toEqual([]);

    await enterPasswords({ current: "wrong" });
    await user.keyboard("{Enter}");
    expect(await screen.findByText(/^This is not your current password/)).toBeTruthy();
    expect(field("Current password").getAttribute("aria-invalid")).toBe("true");
    expect(field("New password").value).toBe("a long new sentence");

    backend.refuseOnce("changePassword", 422, { message: "This password is too common.", field: "password" });
    await user.click(passwordForm().getByRole("button", { name: "Change password" }));
    expect(await screen.findByText("This password is too common.")).toBeTruthy();
    expect(field("New password").getAttribute("aria-invalid")).toBe("true");
    expect(field("Current password").getAttribute("aria-invalid")).toBe("false");

    backend.cutOff("changePassword");
    await enterPasswords();
    await user.keyboard("{Enter}");
    expect(await screen.findByText(/^The password was not changed\. The server could not be/)).toBeTruthy();
    expect(field("New password").value).toBe("a long new sentence");
    backend.restore();

    await user.click(passwordForm().getByRole("button", { name: "Change password" }));
    expect(await screen.findByText(/^The password is changed\./)).toBeTruthy();
    expect(backend.sent("changePassword").at(-1)).toEqual({
      username,
      current_password: password,
      password: "a long new sentence",
    });
    expect(field("Current password").value).toBe("");
  });

  it("lists the login sessions, ends one, says if one was not ended, and ends the current one as a logout", async () => {
    const { user, address } = await open();
    const list = within(await screen.findByRole("list", { name: "Login sessions" }));
    expect(list.getAllByRole("listitem")).toHaveLength(3);
    expect(list.getByText("198.51.100.0/24").closest("li")?.textContent).toContain("this one");
    const end = () => button(/^End the login session of Safari on iOS from 2001:db8:1::\/48/);
    backend.refuseOnce("endLoginSession", 500, { message: "The server failed." });
    await user.click(await end());
    expect(await screen.findByText(/^The login session was not ended/)).toBeTruthy();
    await user.click(await end());
    await vi.waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(2));
    expect(list.queryByText("2001:db8:1::/48")).toBeNull();
    await user.click(await button("Log out"));
    await vi.waitFor(() => expect(address()).toBe("/"));
    expect(backend.state.loggedInAs).toBeNull();
  });

  describe("the download", () => {
    afterEach(() => vi.restoreAllMocks());

    it("is a JSON file with the export", async () => {
      addPeering(backend.state);
      const saved: { name: string; blob: Blob }[] = [];
      let latest = new Blob();
      vi.stubGlobal(
        "URL",
        Object.assign(URL, {
          createObjectURL: (blob: Blob) => {
            latest = blob;
            return "blob:export";
          },
          revokeObjectURL: () => {},
        }),
      );
      vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
        this: HTMLAnchorElement,
      ) {
        saved.push({ name: this.download, blob: latest });
      });
      const { user } = await open();
      await user.click(await button("Download"));
      expect(await screen.findByText("The file was downloaded.")).toBeTruthy();
      expect(saved).toHaveLength(1);
      expect(saved[0]?.name).toMatch(/^AS4242420001-\d{4}-\d\d-\d\d\.json$/);
      expect(JSON.parse((await saved[0]?.blob.text()) ?? "")).toMatchObject({
        username,
        peerings: [{ node: "syd01" }],
      });
    });
  });

  it("deletes the account after the password, lists what is removed, and follows it to the end", async () => {
    // Polls wait for the test.
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    addPeering(backend.state);
    const { user, address } = await open();
    await user.click(await button("Delete the account…"));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(await dialog.findByText("syd01.dn42.example.net")).toBeTruthy();
    await fill({ Password: "wrong" });
    await user.keyboard("{Enter}");
    expect(await dialog.findByText(/^This is not your current password/)).toBeTruthy();
    await fill({ Password: password });
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { name: "Deletion of the account" });
    expect(address()).toMatch(/^\/accountDeletion\?id=/);
    await expect
      .poll(() => {
        vi.advanceTimersByTime(2_000);
        return screen.queryByText(/are deleted\. The log/);
      })
      .not.toBeNull();
    expect(backend.state.loggedInAs).toBeNull();
    expect(backend.state.accounts).toEqual({});
  });

  it("keeps the account if the participant changes their mind", async () => {
    backend.state.accountDeletion = {
      id: "kept",
      state: "running",
      started: Date.now(),
      peerings: [
        { node: "syd01", taskID: null, reason: "syd01 could not be reached in time.", next_attempt: 1 },
      ],
    };
    backend.reply("getAccountDeletion", () => Response.json(backend.state.accountDeletion));
    const { user } = await open();
    expect(screen.queryByRole("button", { name: "Delete the account…" })).toBeNull();
    await user.click(await screen.findByRole("link", { name: "Show progress" }));
    expect(await screen.findByText(/could not be reached in time\. The server tries again/)).toBeTruthy();
    await user.click(await button("Keep the account"));
    expect(await screen.findByText(/^The account is kept\./)).toBeTruthy();
    expect(backend.state.loggedInAs).toBe(username);
  });

  it("name the addresses in the registry that refuse mail", async () => {
    const refused = [{ address: "n…@example.net", at: Date.UTC(2026, 2, 14, 9, 30) }];
    backend.reply("getAccount", { created: 0, holder: "ADA-MNT", deletion: null, refused });
    await open();
    expect(
      await screen.findByText(/^The mail server of n…@example\.net refused our last mail on/),
    ).toBeTruthy();
  });

  it("are left out by a server that lacks the calls; those of the device are not", async () => {
    backend.refuse("getAccount", 404, { message: "No such call." });
    await open();
    await vi.waitFor(() => expect(screen.queryByRole("form", { name: "Change password" })).toBeNull());
    expect(screen.getByRole("region", { name: "Notifications" })).toBeTruthy();
  });
});

import { screen, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { participant } from "#mocks/state.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openView } from "../manager/open-view.tsx";

const backend = useBackend();
const username = participant.asn;

const panel = () => within(screen.getByRole("region", { name: "API tokens" }));
const tokenForm = () => within(screen.getByRole("form", { name: "Create an API token" }));
const list = () => within(screen.getByRole("list", { name: "API tokens" }));
const revoke = (name: string) => list().getByRole("button", { name: `Revoke the API token ${name}` });

async function open() {
  const app = await openView(backend, "/manager/settings", "Settings");
  await screen.findByRole("region", { name: "API tokens" });
  return app;
}

function addToken(name: string, changes: object = {}) {
  backend.state.apiTokens.push({
    id: name,
    name,
    scope: "read",
    node: null,
    created: Date.now(),
    expires: Date.UTC(2027, 2, 14, 9, 30),
    last_used: null,
    address_prefix: null,
    ends_with_password: true,
    ...changes,
  });
}

describe("API tokens", () => {
  it("are created with the keyboard, shown once with an example, and then listed", async () => {
    const { user } = await open();
    expect(await panel().findByText("There are no API tokens.")).toBeTruthy();
    panel().getByRole("button", { name: "Create a token…" }).focus();
    await user.keyboard("{Enter}");
    expect(tokenForm().getByRole<HTMLButtonElement>("button", { name: "Create token" }).disabled).toBe(true);
    await user.keyboard("{Tab}backup{Tab}{ArrowRight}{Tab}");
    await user.selectOptions(tokenForm().getByLabelText("Node"), "syd01");
    await user.click(tokenForm().getByLabelText(/^365 days/));
    await user.click(tokenForm().getByLabelText(/^End this token when/));

    const body = {
      username,
      name: "backup",
      scope: "change",
      node: "syd01",
      days: 365,
      ends_with_password: false,
    };
    backend.refuseOnce("createApiToken", 409, { message: "Another API token has this name.", field: "name" });
    await user.click(tokenForm().getByRole("button", { name: "Create token" }));
    expect(await tokenForm().findByText("Another API token has this name.")).toBeTruthy();
    expect(tokenForm().getByLabelText("Name").getAttribute("aria-invalid")).toBe("true");
    backend.refuseOnce("createApiToken", 429, { message: "Too many new API tokens." });
    await user.click(tokenForm().getByRole("button", { name: "Create token" }));
    expect(await tokenForm().findByText("No API token was created. Too many new API tokens.")).toBeTruthy();
    tokenForm().getByLabelText("Name").focus();
    await user.keyboard("{Enter}");

    const secret = await panel().findByText(/^peerdeck_[\w-]{43}$/);
    expect(backend.sent("createApiToken").at(-1)).toEqual(body);
    expect(panel().getByText(/it is not shown again/)).toBeTruthy();
    const example = panel().getByText(/Authorization: Bearer \$PEERDECK_TOKEN/).textContent;
    expect(example).toContain('-H @- <<< "Authorization: ');
    expect(example).not.toContain("peerdeck_");
    await user.click(panel().getByRole("button", { name: "I have copied the token" }));
    expect(secret.isConnected).toBe(false);
    expect(document.activeElement).not.toBe(document.body);
    const row = (await panel().findByText("backup")).closest("li");
    expect(row?.textContent).toMatch(
      /^backupRead and change, syd01\.dn42\.example\.net, expires on \d+ \w+ \d{4}, stays when the password changesNever used/,
    );
  });

  it("show their last use, and are revoked after a question, also if they have ended already", async () => {
    addToken("old script", { last_used: Date.now() - 3.5 * 3_600_000, address_prefix: "198.51.100.0/24" });
    addToken("other");
    const { user } = await open();
    const row = (await panel().findByText("old script")).closest("li");
    expect(row?.textContent).toContain(
      "Read, all nodes, expires on 14 March 2027Last used 3 h ago from 198.51.100.0/24",
    );
    await user.click(revoke("old script"));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(dialog.getByText(/^Scripts that use “old script” are refused from now on\./)).toBeTruthy();
    backend.refuseOnce("revokeApiToken", 500, { message: "The server failed." });
    await user.click(dialog.getByRole("button", { name: "Revoke" }));
    expect(await dialog.findByText("The API token was not revoked. The server failed.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Revoke" }));
    await vi.waitFor(() => expect(list().getAllByRole("listitem")).toHaveLength(1));
    expect(backend.sent("revokeApiToken").at(-1)).toEqual({ username, id: "old script" });
    await vi.waitFor(() => expect(document.activeElement).not.toBe(document.body));

    backend.state.apiTokens = [];
    await user.click(revoke("other"));
    await user.click(await screen.findByRole("button", { name: "Revoke" }));
    expect(await panel().findByText("There are no API tokens.")).toBeTruthy();
  });

  it("say if they could not be loaded, and after a retry how many are possible", async () => {
    backend.refuse("getApiTokens", 403, { message: "The server refused." });
    const { user } = await open();
    expect(await panel().findByText("The API tokens could not be loaded. The server refused.")).toBeTruthy();
    backend.restore();
    for (let number = 1; number <= 20; number++) addToken(`script ${number}`);
    await user.click(panel().getByRole("button", { name: "Retry" }));
    await vi.waitFor(() => expect(list().getAllByRole("listitem")).toHaveLength(20));
    expect(panel().getByRole<HTMLButtonElement>("button", { name: "Create a token…" }).disabled).toBe(true);
  });

  it("are left out if the server has none", async () => {
    backend.refuse("getApiTokens", 404, { message: "No such call." });
    await openView(backend, "/manager/settings", "Settings");
    await screen.findByRole("form", { name: "Change password" });
    await vi.waitFor(() => expect(screen.queryByRole("region", { name: "API tokens" })).toBeNull());
  });
});

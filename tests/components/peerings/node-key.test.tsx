/** A participant switches a tunnel to the new public key of its node. */
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { describeAuditEvent } from "#domain/audit-events.ts";
import { nextNodePublicKey, nodePublicKey } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { participant } from "#mocks/state.ts";
import { reportConnectivity } from "#web/browser/connectivity.ts";
import { openApp, useBackend } from "../accounts/open-app.tsx";

const backend = useBackend();
const host = "syd01.dn42.example.net";
const switchAt = Date.UTC(2026, 11, 15);

afterEach(() => localStorage.clear());

async function openOverview(search = "node=syd01") {
  addPeering(backend.state);
  backend.state.loggedInAs = participant.asn;
  backend.state.rekeys["syd01"] = switchAt;
  const app = await openApp(`/manager?${search}`);
  const notice = await screen.findByRole("region", { name: "The node gets a new public key" });
  const button = within(notice).getByRole("button", { name: "Switch to the new key" });
  return { ...app, notice, button };
}

async function openDialog() {
  const { user, button, ...app } = await openOverview();
  await user.click(button);
  const dialog = await screen.findByRole("alertdialog", { name: "Switch to the new public key" });
  return { ...app, user, dialog, confirm: within(dialog).getByRole("button", { name: "Switch" }) };
}

function activityOf(...kinds: ReadonlyArray<"node-key-returned" | "node-key-switched">) {
  const entries = kinds.map((kind, index) => ({
    id: String(index),
    at: Date.now(),
    kind,
    node: "syd01",
    text: describeAuditEvent({ kind, asn: participant.asn, host, changes: [], detail: "" }, "participant"),
    changes: [],
    network: null,
    own: false,
    suspect: false,
  }));
  return { entries, next: null };
}

test("the overview says what happens and until when, with the line for the router, and only once", async () => {
  const { notice } = await openOverview();
  expect(notice.textContent).toContain(
    `The new public key of ${host} is ${nextNodePublicKey}. Your tunnel keeps the present one until you switch it, or until 2026-12-15 00:00 UTC.`,
  );
  const line = await within(notice).findByRole("region", { name: /^wg-quick: / });
  expect(line.textContent).toBe(`PublicKey = ${nextNodePublicKey}`);
  expect(within(notice).getByRole("button", { name: /^Copy/ })).toBeTruthy();
  expect(within(notice).getByRole("link", { name: "All of the configuration for your router" })).toBeTruthy();
  expect(screen.getAllByText(new RegExp(`The new public key of ${host}`))).toHaveLength(1);
  expect(screen.queryByText(/switched the tunnel back/)).toBeNull();
});

test("Edit Peering shows both keys, and the configuration has the present one until the switch", async () => {
  await openOverview("node=syd01&tab=edit");
  const side = await screen.findByRole("region", { name: "Example Transit's side" });
  const [labels, values] = [within(side).getAllByRole("term"), within(side).getAllByRole("definition")];
  const facts = Object.fromEntries(
    labels.map((label, index) => [label.textContent, values[index]?.textContent]),
  );
  expect(facts).toMatchObject({
    "Public key": expect.stringContaining(nodePublicKey),
    "Next public key": expect.stringMatching(/2026-12-15 00:00 UTC/),
  });
  expect(facts["Next public key"]).toContain(nextNodePublicKey);
  const config = await screen.findByRole("region", {
    name: "WireGuard: /etc/wireguard/dn42_2227_syd01.conf",
  });
  expect(config.textContent).toContain(`PublicKey = ${nodePublicKey}`);
});

test("Switch deploys the key after a confirmation, and the notice ends", async () => {
  const { user, dialog, confirm, address } = await openDialog();
  expect(dialog.textContent).toContain("Enter the new key on your router at the same time.");
  expect(dialog.textContent).toContain(
    "Only this tunnel changes. Without a handshake within five minutes, it goes back",
  );
  expect(backend.sent("switchNodeKey")).toEqual([]);
  await user.click(confirm);
  await waitFor(() => expect(address()).toMatch(/^\/manager\/updatepeer\/edit\?.*step=awaitingDeployment/));
  expect(backend.sent("switchNodeKey")).toEqual([{ username: participant.asn, node: "syd01" }]);
  expect(await screen.findByRole("heading", { name: `Deploying to ${host}` })).toBeTruthy();
  const [task] = backend.state.tasks;
  expect(address()).toContain(`task=${task?.task.taskID}`);
});

test("after a cancelled confirmation nothing was sent, and the button has the focus", async () => {
  const { user, dialog } = await openDialog();
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(document.activeElement?.textContent).toBe("Switch to the new key");
  expect(backend.sent("switchNodeKey")).toEqual([]);
});

test("what the server rejects is explained in the dialog", async () => {
  const message = `Your tunnel on ${host} already has the node's new public key. Nothing was changed.`;
  backend.refuse("switchNodeKey", 409, { message });
  const { user, dialog, confirm } = await openDialog();
  await user.click(confirm);
  expect((await within(dialog).findByRole("alert")).textContent).toBe(message);
});

test("a server without the call shows none of it", async () => {
  backend.refuse("switchNodeKey", 404, { message: "Not found" });
  const { user, confirm } = await openDialog();
  await user.click(confirm);
  await waitFor(() => expect(screen.queryByText("The node gets a new public key")).toBeNull());
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("without the server, the button gives the reason and sends nothing", async () => {
  const { user, button, queryClient } = await openOverview();
  act(() => reportConnectivity(queryClient, false));
  expect(button.getAttribute("aria-disabled")).toBe("true");
  const reasonOf = () => document.getElementById(button.getAttribute("aria-describedby") ?? "")?.textContent;
  expect(reasonOf()).toContain("The server cannot be reached right now, so the tunnel cannot be switched.");
  await user.click(button);
  expect(screen.queryByRole("alertdialog")).toBeNull();
  act(() => reportConnectivity(queryClient, true));
  expect(button.getAttribute("aria-disabled")).toBeNull();
});

test("while a deployment runs, the tunnel cannot be switched", async () => {
  const { user, button, queryClient } = await openOverview();
  const [deployed] = backend.state.tasks;
  if (deployed) deployed.task = { ...deployed.task, status: "waiting" };
  await act(() => queryClient.invalidateQueries());
  await waitFor(() => expect(button.getAttribute("aria-disabled")).toBe("true"));
  expect(screen.getByText("A deployment is running. Switch the tunnel when it has finished.")).toBeTruthy();
  await user.click(button);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("a tunnel that went back is offered again, with what happened", async () => {
  backend.reply("getActivity", activityOf("node-key-returned", "node-key-switched"));
  const { notice } = await openOverview();
  expect((await within(notice).findByRole("status")).textContent).toBe(
    `The server switched the tunnel back to the previous public key of ${host}, because no handshake with the new one came. Check the key on your router, then switch again. Show activity`,
  );
});

test("an earlier return is not reported after another switch", async () => {
  backend.reply("getActivity", activityOf("node-key-switched", "node-key-returned"));
  const { notice } = await openOverview();
  await waitFor(() => expect(backend.received("getActivity").length).toBeGreaterThan(0));
  await within(notice).findByRole("region", { name: /^wg-quick: / });
  expect(within(notice).queryByRole("status")).toBeNull();
});

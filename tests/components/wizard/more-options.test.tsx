/** The options of a peering, which only some servers have. */
import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { promisifyRequest } from "idb-keyval";
import { HttpResponse } from "msw";
import { transact } from "../../../src/browser-storage/database.ts";
import { beforeEach, expect, it } from "vitest";
import { peeringOptions } from "../../../src/domain/peering/fields/peering-fields.ts";
import { provider } from "../../../src/mocks/provider.ts";
import { addPeering } from "../../../src/mocks/samples.ts";
import { useIndexedDb } from "../../support/window-properties.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { fill, fillToConfirm, forward, openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();
useIndexedDb();

beforeEach(() => transact("readwrite", undefined, (store) => void store.clear()));

/** The peering as the last submit sent it. */
const submitted = () => (backend.sent("updatePeerConfig").at(-1) as readonly Record<string, unknown>[])[1];
const isOffered = () => screen.queryByText("More options") !== null;
const isOpen = () => screen.getByText("More options").closest("details")?.open;

/** Everything in the browser's database, as text. */
async function stored(): Promise<string> {
  const values = await transact<unknown[]>("readonly", [], (store) => promisifyRequest(store.getAll()));
  return JSON.stringify(values);
}

async function submit(user: UserEvent) {
  await user.click(forward("Submit"));
  await waitFor(() => expect(backend.sent("updatePeerConfig")).not.toHaveLength(0));
}

async function openEdit(step: string) {
  const app = await openWizard(backend, `/manager/updatepeer/edit?node=syd01&step=${step}`);
  await screen.findByRole("button", { name: step === "confirmDetails" ? "Submit" : "Next" });
  return app;
}

it("are neither offered nor sent without an announcement", async () => {
  backend.reply("provider", () => HttpResponse.json({ ...provider, options: undefined }));
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  expect(screen.queryByText("MTU")).toBeNull();
  await press(user, "Back");
  expect(isOffered()).toBe(false);
  await press(user, "Next");
  await submit(user);
  expect(peeringOptions.filter((option) => option in (submitted() ?? {}))).toEqual([]);
});

it("are folded away, and not sent unless they are used", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  await press(user, "Back");
  expect(isOpen()).toBe(false);
  await press(user, "Next");
  await submit(user);
  expect(peeringOptions.filter((option) => option in (submitted() ?? {}))).toEqual([]);
});

it("of a peering are kept by an edit on a server that does not announce them", async () => {
  addPeering(backend.state(), { mtu: "1400" });
  backend.reply("provider", () => HttpResponse.json({ ...provider, options: [] }));
  const { user } = await openEdit("confirmDetails");
  await submit(user);
  expect(submitted()).not.toHaveProperty("mtu");
});

it("an MTU is entered, confirmed and sent", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  await press(user, "Back");
  await user.click(screen.getByText("More options"));
  await fill(user, "MTU", "1500");
  await user.tab();
  expect(await screen.findByText("Invalid value")).toBeDefined();
  expect(forward().disabled).toBe(true);
  await fill(user, "MTU", "1412");
  await press(user, "Next");
  expect(await screen.findByText("1412")).toBeDefined();
  await submit(user);
  expect(submitted()).toMatchObject({ mtu: "1412" });
});

it("an MTU that the peering has is shown at once, and removed with an empty field", async () => {
  addPeering(backend.state(), { mtu: "1400" });
  const { user } = await openEdit("enterDetails");
  expect(isOpen()).toBe(true);
  await fill(user, "MTU", "");
  await press(user, "Next");
  await screen.findByText("Each changed value is shown after the current one.");
  await submit(user);
  expect(submitted()).toMatchObject({ mtu: "" });
});

const key = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";

it("a pasted pre-shared key is sent by Submit, and neither confirmed, checked nor stored", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  await press(user, "Back");
  await user.click(screen.getByText("More options"));
  await fill(user, "Pre-shared key", key);
  await user.tab();
  await press(user, "Next");
  expect(await screen.findByText("As you entered it")).toBeDefined();
  expect(screen.queryByText(key)).toBeNull();
  await expect.poll(stored).toContain("router.example.org");
  expect(await stored()).not.toContain(key);
  expect(JSON.stringify(backend.sent("checkPeerConfig"))).not.toContain(key);
  await submit(user);
  expect(submitted()).toMatchObject({ preshared_key: key });
});

it("a pre-shared key is generated by the server", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  await press(user, "Back");
  await user.click(screen.getByText("More options"));
  await press(user, "Generate");
  expect(document.activeElement?.textContent).toBe("Do not generate");
  await press(user, "Do not generate");
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Pre-shared key" }));
  await press(user, "Generate");
  await press(user, "Next");
  expect(await screen.findByText("We generate one")).toBeDefined();
  await submit(user);
  expect(submitted()).toMatchObject({ preshared_key: "generate" });
});

it("a pre-shared key stays with an edit, and can be removed", async () => {
  addPeering(backend.state(), { preshared_key: key });
  const { user } = await openEdit("enterDetails");
  await screen.findByText("The current one stays.");
  await press(user, "Next");
  await screen.findByText("No value has changed. Submit deploys the current configuration again.");
  await screen.findByText("The current one");
  await press(user, "Back");
  await press(user, "Remove or enter another");
  await press(user, "Next");
  await screen.findByText("Each changed value is shown after the current one.");
  await submit(user);
  expect(submitted()).toMatchObject({ preshared_key: "" });
});

it("a draft without the entered key keeps the current one, and does not remove it", async () => {
  addPeering(backend.state(), { preshared_key: key });
  const { user } = await openEdit("enterDetails");
  await press(user, "Remove or enter another");
  const another = Buffer.alloc(32, 9).toString("base64");
  await fill(user, "Pre-shared key", another);
  await fill(user, "Port", "51821");
  await expect.poll(stored).toContain("51821");
  expect(await stored()).toContain('"preshared_key":"keep"');
  expect(await stored()).not.toContain(another);
});

it("a configuration with the pre-shared key is shown on request", async () => {
  addPeering(backend.state(), { preshared_key: key });
  const { user } = await openWizard(backend, "/manager?node=syd01&tab=edit");
  await screen.findByText(/PresharedKey = <the pre-shared key>/);
  expect(backend.sent("getPresharedKey")).toEqual([]);
  await press(user, "Show the pre-shared key");
  await screen.findByText(new RegExp(`PresharedKey = ${key.replaceAll("+", "\\+")}`));
  expect(await stored()).not.toContain(key);
  expect(document.activeElement?.textContent).toBe("Hide the pre-shared key");
  await press(user, "Hide the pre-shared key");
  await screen.findByText(/PresharedKey = <the pre-shared key>/);
  expect(backend.sent("getPresharedKey")).toHaveLength(1);
});

it("a router without a public address needs neither host nor port", async () => {
  const { user } = await openWizard(backend);
  await fillToConfirm(user, "router.example.org");
  await press(user, "Back");
  await fill(user, "Public IP or hostname", "");
  expect(forward().disabled).toBe(true);
  await user.click(screen.getByText("More options"));
  await user.click(await screen.findByRole("checkbox", { name: "My router has no public address" }));
  expect(screen.queryByRole("textbox", { name: "Port" })).toBeNull();
  expect(forward().disabled).toBe(false);
  await press(user, "Next");
  await screen.findByText("Your router connects to the node");
  expect(screen.queryByText("Public IP or hostname")).toBeNull();
  await submit(user);
  expect(submitted()).toMatchObject({ no_endpoint: "Yes", remote_ip: "", remote_port: "" });
});

it("an edit of a peering without an endpoint keeps it so, or asks for one", async () => {
  addPeering(backend.state(), { no_endpoint: "Yes", remote_ip: "", remote_port: "" });
  const { user } = await openEdit("enterDetails");
  const choice = await screen.findByRole<HTMLInputElement>("checkbox");
  expect([choice.checked, forward().disabled]).toEqual([true, false]);
  await user.click(choice);
  expect(forward().disabled).toBe(true);
  await fill(user, "Public IP or hostname", "router.example.org");
  await fill(user, "Port", "51820");
  await press(user, "Next");
  await submit(user);
  expect(submitted()).toMatchObject({
    no_endpoint: "",
    remote_ip: "router.example.org",
    remote_port: "51820",
  });
});

it("the Edit tab says that the router connects to the node", async () => {
  addPeering(backend.state(), { no_endpoint: "Yes", remote_ip: "", remote_port: "" });
  await openWizard(backend, "/manager?node=syd01&tab=edit");
  expect(await screen.findByText("Your router connects to the node")).toBeDefined();
});

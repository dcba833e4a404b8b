/** What the form says about values before they are submitted. It blocks nothing. */
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { addPeering } from "#mocks/samples.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { chooseNode, family, publicKey } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { forward, openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();

const used = "fe80::1 is already used on this node. Choose another address.";
const keyUsed = "This key is already used by another participant. Every participant needs their own key.";
const serverErrors = [
  { field: "public_key", message: keyUsed },
  { field: "peer_ipv6", message: used },
];

async function openDetails() {
  const app = await openWizard(backend);
  await chooseNode();
  await press("Next");
  await screen.findByRole("heading", { name: "Your details" });
  return app;
}

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });

/** The texts that describe a field, besides its hint. */
function messagesOf(name: string): readonly (string | null | undefined)[] {
  const ids = field(name).getAttribute("aria-describedby")?.split(" ") ?? [];
  return ids.filter((id) => !id.endsWith("-hint")).map((id) => document.getElementById(id)?.textContent);
}

/** The second item of the bodies of all checks. */
const checked = () =>
  backend.sent("checkPeerConfig").map((body) => (body as readonly Record<string, string>[])[1]);

describe("a field that was left", () => {
  it("has the server's objection, together with the other fields', and Next stays enabled", async () => {
    backend.reply("checkPeerConfig", serverErrors);
    const { user } = await openDetails();
    await fill({ "IPv6 tunnel address": "fe80::1" });
    await fill({ "Public key": publicKey });
    await user.tab();
    await waitFor(() => expect(messagesOf("Public key")).toEqual([keyUsed]));
    expect(messagesOf("IPv6 tunnel address")).toEqual([used]);
    expect(field("IPv6 tunnel address").getAttribute("aria-invalid")).toBe("true");
    expect(field("Port").getAttribute("aria-invalid")).toBe("false");
    await fill({ "Public IP or hostname": "router.example.org" });
    await fill({ Port: "51820" });
    expect(forward().disabled).toBe(false);
    await fill({ "IPv6 tunnel address": "fe80::2" });
    expect(messagesOf("IPv6 tunnel address")).toEqual([]);
    expect(messagesOf("Public key")).toEqual([keyUsed]);
    const values = { node: "syd01", remote_ip: "router.example.org", remote_port: "51820" };
    await waitFor(() => expect(checked().at(-1)).toMatchObject(values));
  });

  it("is not sent while it is invalid or may be a private key", async () => {
    const mayBePrivate = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHl8=";
    backend.reply("checkPeerConfig", serverErrors);
    const { user } = await openDetails();
    await fill({ "Public IP or hostname": "router." });
    await fill({ Port: "51820" });
    await fill({ "Public key": mayBePrivate });
    await fill({ "IPv6 tunnel address": "fe80::1" });
    await user.tab();
    await waitFor(() => expect(messagesOf("IPv6 tunnel address")).toEqual([used]));
    expect(checked().at(-1)).toMatchObject({
      remote_ip: "",
      remote_port: "51820",
      public_key: "",
      peer_ipv6: "fe80::1",
    });
    expect(messagesOf("Public key")).toEqual([expect.stringMatching(/^This may be a private key: /)]);
    expect(field("Public key").getAttribute("aria-invalid")).toBe("false");
    await fill({ "Public IP or hostname": "router.example.org" });
    await press("Next");
    expect(await screen.findByText(/^Public key: This may be a private key: /)).toBeTruthy();
    await press("Submit");
    await waitFor(() => expect(backend.sent("updatePeerConfig")).toHaveLength(1));
    expect(JSON.stringify(backend.sent("updatePeerConfig"))).toContain(mayBePrivate);
  });
});

it("what the app knows to be unusable is marked without an answer of the server, on the confirmation too", async () => {
  const { user } = await openDetails();
  await fill({ "Public IP or hostname": "172.20.0.1", Port: "51820", "IPv6 tunnel address": "fe80::1" });
  await fill({ "Public key": publicKey });
  await user.tab();
  const message = "172.20.0.1 is a private address. Enter the public address of your router.";
  expect(messagesOf("Public IP or hostname")).toEqual([message]);
  expect(field("Public IP or hostname").getAttribute("aria-invalid")).toBe("true");
  await press("Next");
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect(screen.getByText(message, { exact: false }).closest("dd")?.textContent).toContain("Change it");
});

it("a server that cannot check is asked once, and changes nothing", async () => {
  backend.refuse("checkPeerConfig", 404, { message: "No." });
  const { user } = await openDetails();
  await waitFor(() => expect(checked()).toHaveLength(1));
  await fill({ "Public IP or hostname": "router.example.org" });
  await fill({ Port: "51820" });
  await fill({ "Public key": publicKey });
  await fill({ "IPv6 tunnel address": "fe80::1" });
  await user.tab();
  // Longer than the app waits for further fields to be left.
  await new Promise((resolve) => void setTimeout(resolve, 500));
  expect(checked()).toHaveLength(1);
  expect(screen.queryByText("No.")).toBeNull();
  await press("Next");
  expect(await screen.findByRole("heading", { name: "Confirm your details" })).toBeTruthy();
});

it("an objection to a choice is shown above the details", async () => {
  const message = "This node has no IPv4 tunnel address. Choose IPv6, or Both with Extended Nexthop.";
  backend.reply("checkPeerConfig", [{ field: "address_family", message }]);
  await openWizard(backend);
  await chooseNode();
  await family("IPv4");
  await press("Next");
  expect(await screen.findByText(message)).toBeTruthy();
});

it("a submit with several invalid values marks each of them, and keeps everything", async () => {
  await openDetails();
  await fill({ "Public IP or hostname": "router.example.org" });
  await fill({ Port: "51820" });
  await fill({ "Public key": publicKey });
  await fill({ "IPv6 tunnel address": "fe80::1" });
  await press("Next");
  // Another participant has the key. A concurrent change is a 409 too, but names no field.
  backend.refuse("updatePeerConfig", 409, { ...serverErrors[0], message: keyUsed, errors: serverErrors });
  await press("Submit");
  expect((await screen.findByRole("alert")).textContent).toBe(
    "The server rejected the values marked below. Nothing was deployed; everything you entered is kept.",
  );
  expect(screen.queryByRole("button", { name: "Keep mine" })).toBeNull();
  expect([messagesOf("Public key"), messagesOf("IPv6 tunnel address")]).toEqual([[keyUsed], [used]]);
  expect(screen.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value)).toEqual([
    "router.example.org",
    "51820",
    publicKey,
    "fe80::1",
  ]);
  await fill({ "Public key": "" });
  expect((await screen.findByRole("alert")).textContent).toBe(
    "The server rejected the value marked below. Nothing was deployed; everything you entered is kept.",
  );
});

describe("the port", () => {
  it("is suggested: one that no other peering uses", async () => {
    addPeering(backend.state, { node: "de01", remote_port: "51820" });
    addPeering(backend.state, { node: "ny01", remote_port: "51821" });
    await openDetails();
    await fill({ Port: "" });
    await press("Use 51822");
    expect(field("Port").value).toBe("51822");
    expect(screen.queryByRole("button", { name: /^Use [0-9]/ })).toBeNull();
    expect(messagesOf("Port")).toEqual([]);
  });

  it("is warned about if another peering of the same host has it", async () => {
    addPeering(backend.state, { node: "de01", remote_port: "51820" });
    const { user } = await openDetails();
    await fill({ Port: "51820" });
    await fill({ "Public IP or hostname": "other.example.org" });
    await user.tab();
    expect(messagesOf("Port")).toEqual([]);
    await fill({ "Public IP or hostname": "router.example.org" });
    await waitFor(() =>
      expect(messagesOf("Port")).toEqual([
        "Your peering on de01.dn42.example.net uses this port on the same host. Two WireGuard interfaces of one router cannot listen on one port.",
      ]),
    );
    expect(field("Port").getAttribute("aria-invalid")).toBe("false");
    await press("Use 51821");
    expect([field("Port").value, messagesOf("Port")]).toEqual(["51821", []]);
  });
});

it("the confirm step of an edit says that nothing is changed, or shows the current value before each changed one", async () => {
  addPeering(backend.state);
  await openWizard(backend, "/manager/updatepeer/edit?node=syd01&step=confirmDetails");
  await screen.findByText("No value has changed. Submit deploys the current configuration again.");
  await press("Back");
  await fill({ Port: "4000" });
  await press("Next");
  await screen.findByText("Each changed value is shown after the current one.");
  const entries = Array.from(document.querySelectorAll("main dl > div"), (entry) => [
    entry.querySelector("dt")?.textContent,
    entry.querySelector("dd")?.textContent,
  ]);
  expect(entries).toContainEqual(["Port", "changed from 51820→  to 4000"]);
  expect(entries.filter(([, value]) => value?.includes("changed"))).toHaveLength(1);
  expect(within(screen.getByRole("deletion")).getByText("51820")).toBeTruthy();
  expect(within(screen.getByRole("insertion")).getByText("4000")).toBeTruthy();
});

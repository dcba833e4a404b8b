/** A new peering that takes over the values of the participant's newest one. */
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { provider } from "#mocks/provider.ts";
import { addPeering } from "#mocks/samples.ts";
import { fill } from "../../spec/jsdom/screen.ts";
import { family, publicKey } from "../../spec/jsdom/wizard.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { openWizard, press } from "./open-wizard.tsx";

const backend = useBackend();
const secret = `${"Ym9ycm93ZWQt".repeat(3)}Ym9ycm8=`;

const submitted = () => (backend.sent("updatePeerConfig").at(-1) as readonly Record<string, unknown>[])[1];
const node = (name: string) => screen.findByRole("button", { name: new RegExp(`^${name}\\.`) });

/** The values on the confirmation, each with what is said about it. */
const facts = () =>
  Object.fromEntries(
    Array.from(document.querySelectorAll("main dl > div"), (entry) => [
      entry.querySelector("dt")?.textContent,
      entry.querySelector("dd")?.textContent,
    ]),
  );

/** The newest of three peerings is that on ny01. */
function addPeerings(): void {
  const older = { peer_ipv4: "172.20.201.9", bgp_extnh: "No", public_key: `${"B".repeat(43)}=` } as const;
  const newer = { node: "ny01", bgp_extnh: "No", peer_ipv4: "172.20.201.1", local_ipv6: "fe80::77" } as const;
  addPeering(backend.state, { ...newer, remote_port: "51821" });
  addPeering(backend.state, { ...newer, remote_port: "51821", mtu: "1400", preshared_key: secret });
  addPeering(backend.state, { ...older, node: "de01", remote_port: "51820" });
  addPeering(backend.state, { ...older, node: "za01", remote_port: "4000" });
}

it("is confirmed right after the node, with the values of the newest peering and a free port", async () => {
  addPeerings();
  await openWizard(backend);
  const last = await screen.findByRole<HTMLButtonElement>("button", { name: "Use my last details" });
  expect(last.disabled).toBe(true);
  (await node("syd01")).click();
  await press("Use my last details");
  await screen.findByRole("heading", { name: "Confirm your details" });
  const from = "from your peering on ny01.dn42.example.net";
  expect(facts()).toEqual({
    Node: "syd01.dn42.example.net",
    "Address family": `Both${from}`,
    "Extended Nexthop": `No${from}`,
    "Public IP or hostname": `router.example.org${from}`,
    Port: "51822free, none of your peerings uses it",
    "Public key": `${publicKey}${from}`,
    "IPv4 tunnel address": `172.20.201.1${from}`,
    "IPv6 tunnel address": `fe80::1:1${from}`,
    "Our tunnel IPv6": `fe80::77${from}`,
    MTU: `1400${from}`,
  });
  await press("Submit");
  await waitFor(() => expect(backend.sent("updatePeerConfig")).toHaveLength(1));
  expect(submitted()).toMatchObject({
    node: "syd01",
    remote_port: "51822",
    public_key: publicKey,
    generation: 0,
  });
  expect(submitted()).not.toHaveProperty("preshared_key");
});

it("is offered after a success with each node that has a place, nearest first, and starts with that node", async () => {
  addPeering(backend.state, { node: "ny01" });
  addPeering(backend.state, { node: "syd01", remote_port: "51821" });
  const nodes = provider.nodes.map(({ name }) => ({ node: name, latency: name === "de01" ? 20 : 80 }));
  backend.reply("getEndpointRoundTrips", { endpoint: "router.example.org", nodes });
  await openWizard(backend, "/manager/updatepeer/new?node=syd01&step=awaitingDeployment&task=mock-2");
  const offers = await screen.findByRole("region", { name: "Also peer with…" });
  expect(
    within(offers)
      .getAllByRole("listitem")
      .map(({ textContent }) => textContent),
  ).toEqual(["de01.dn42.example.netFrankfurt, Germany20 ms", "per01.dn42.example.netPerth, Australia80 ms"]);
  within(offers).getByRole("link", { name: "de01.dn42.example.net" }).click();
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect([facts()["Node"], facts()["Port"]]).toEqual([
    "de01.dn42.example.net",
    "51822free, none of your peerings uses it",
  ]);
});

it("has every step on Next, and a changed value is the participant's own", async () => {
  addPeerings();
  await openWizard(backend);
  (await node("syd01")).click();
  await press("Next");
  await screen.findByRole("heading", { name: "BGP details" });
  await family("IPv4");
  await press("Next");
  const host = await screen.findByRole<HTMLInputElement>("textbox", { name: "Public IP or hostname" });
  expect(host.value).toBe("router.example.org");
  await fill({ "Public IP or hostname": "other.example.org" });
  await press("Next");
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect(facts()).toMatchObject({ "Address family": "IPv4", "Public IP or hostname": "other.example.org" });
  expect(facts()["IPv4 tunnel address"]).toContain("from your peering on ny01");
  expect(facts()["Public key"]).toContain("from your peering on ny01");
  // What was changed is not replaced later.
  for (const title of ["Your details", "BGP details", "Select a node"]) {
    await press("Back");
    await screen.findByRole("heading", { name: title });
  }
  await press("Use my last details");
  await screen.findByRole("heading", { name: "Confirm your details" });
  expect(facts()["Public IP or hostname"]).toBe("other.example.org");
});

it("asks again for our tunnel address if it cannot be the same on another node", async () => {
  addPeering(backend.state, {
    node: "de01",
    local_ipv6: "fd42:4242:2601::2",
    peer_ipv6: "fd42:4242:2601::1",
  });
  await openWizard(backend);
  (await node("syd01")).click();
  await press("Use my last details");
  await screen.findByRole("heading", { name: "BGP details" });
  const ours = screen.getByRole<HTMLInputElement>("textbox", { name: /^Enter the IPv6 address/ });
  expect(ours.value).toBe("");
});

it("starts empty if no configuration can be loaded", async () => {
  addPeerings();
  backend.cutOff("getPeerConfig");
  await openWizard(backend);
  (await node("syd01")).click();
  await press("Use my last details");
  await screen.findByRole("heading", { name: "BGP details" });
  await press("Next");
  const key = await screen.findByRole<HTMLInputElement>("textbox", { name: "Public key" });
  expect(key.value).toBe("");
});

it("is confirmed with what the server found beside the values, and a link to change each", async () => {
  addPeerings();
  const message = "fe80::1:1 is already used on this node. Choose another address.";
  backend.reply("checkPeerConfig", [{ field: "peer_ipv6", message }]);
  await openWizard(backend);
  (await node("syd01")).click();
  await press("Use my last details");
  await screen.findByText("The server does not accept what is marked above.");
  expect(facts()["IPv6 tunnel address"]).toContain(message);
  screen.getByRole("link", { name: "Change it" }).click();
  const field = await screen.findByRole("textbox", { name: "IPv6 tunnel address" });
  expect(field.getAttribute("aria-invalid")).toBe("true");
});

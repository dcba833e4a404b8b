/** Configurations and values that a participant pastes into the details step, and what the form takes of them. */
import { generateKeyPairSync } from "node:crypto";
import { createEvent, fireEvent, screen, waitFor } from "@testing-library/react";
import { promisifyRequest } from "idb-keyval";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { transact } from "#browser-storage/database.ts";
import { hostOf } from "#mocks/provider.ts";
import { chooseNode, extendedNextHop, toDetails } from "../../spec/jsdom/wizard.ts";
import { useIndexedDb } from "../../support/indexed-db.ts";
import { useBackend } from "../accounts/open-app.tsx";
import { forward, openWizard } from "./open-wizard.tsx";

const backend = useBackend();
useIndexedDb();

const toBase64 = (text: string) => Buffer.from(text, "base64url").toString("base64");
const [own, other] = [0, 1].map(() => {
  const { d: secret = "", x = "" } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
  return { privateKey: toBase64(secret), publicKey: toBase64(x) };
});
const presharedKey = Buffer.alloc(32, 7).toString("base64");
const configuration = `[Interface]
PrivateKey = ${own?.privateKey}
ListenPort = 51821
Address = fe80::1:1/64, 172.20.1.1/32

[Peer]
PublicKey = ${other?.publicKey}
PresharedKey = ${presharedKey}
Endpoint = ${hostOf("syd01")}:20001
`;

const field = (name: string) => screen.getByRole<HTMLInputElement>("textbox", { name });
const values = () =>
  ["Public IP or hostname", "Port", "Public key", "IPv4 tunnel address", "IPv6 tunnel address"]
    .map((name) => screen.queryByRole<HTMLInputElement>("textbox", { name })?.value)
    .join(" | ");
const report = () => document.querySelector("[aria-live=polite]:has(button)")?.textContent;

const printed: unknown[] = [];
beforeEach(() => {
  printed.length = 0;
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, method).mockImplementation((...texts) => void printed.push(texts));
});
afterEach(() => void vi.restoreAllMocks());

/** Everything that left the screen: requests, storage, the address and the console. */
async function left(): Promise<string> {
  const stored = await transact<unknown[]>("readonly", [], (store) => promisifyRequest(store.getAll()));
  const requests = backend.received().map(({ path, body }) => [path, body]);
  const storages = [localStorage, sessionStorage].map((each) => JSON.stringify(each));
  return JSON.stringify([stored, requests, storages, location.href, history.state, printed.map(String)]);
}

function drop(name: string, text: string): boolean {
  const event = createEvent.drop(field(name), { dataTransfer: { getData: () => text } });
  fireEvent(field(name), event);
  return event.defaultPrevented;
}

/** As the clipboard bar of a phone's keyboard does, without a paste event. Returns whether the form took it. */
function insert(name: string, data: string, inputType = "insertText"): boolean {
  const event = new InputEvent("beforeinput", { data, inputType, bubbles: true, cancelable: true });
  field(name).dispatchEvent(event);
  return event.defaultPrevented;
}

async function openDetails() {
  const app = await openWizard(backend);
  await chooseNode();
  await extendedNextHop("No");
  await toDetails();
  const paste = async (name: string, text: string) => {
    await app.user.click(field(name));
    await app.user.paste(text);
  };
  return { ...app, paste };
}

it("is the participant's own file: its key is computed, and no secret leaves the field", async () => {
  const { user, paste } = await openDetails();
  await paste("IPv6 tunnel address", configuration);
  await waitFor(() => expect(values()).toBe(` | 51821 | ${own?.publicKey} | 172.20.1.1 | fe80::1:1`));
  expect(report()).toBe(
    "Taken from your configuration: port 51821, public key, IPv4 tunnel address 172.20.1.1, IPv6 tunnel address fe80::1:1. " +
      "Your private key and the pre-shared key were not stored. Its peer is our node and was not taken.Undo",
  );
  // A key that was computed is certainly no private one, whatever its form.
  expect(screen.queryByText(/may be a private key/)).toBeNull();
  await waitFor(() =>
    expect(backend.sent("checkPeerConfig").at(-1)).toMatchObject([{}, { remote_port: "51821" }]),
  );
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect([values(), report()]).toEqual([" |  |  |  | ", undefined]);
  expect(document.activeElement).toBe(field("IPv6 tunnel address"));
  expect(screen.queryByText("Invalid value")).toBeNull();

  await paste("Public key", configuration);
  await waitFor(() => expect(field("Public key").value).toBe(own?.publicKey));
  await paste("Public IP or hostname", "router.example.org");
  await user.click(forward());
  await user.click(await screen.findByRole("button", { name: "Submit" }));
  await waitFor(() => expect(backend.sent("updatePeerConfig")).toHaveLength(1));
  const everything = await left();
  expect(everything).toContain(own?.publicKey);
  for (const secret of [own?.privateKey ?? "none", presharedKey])
    expect(everything.includes(secret.slice(0, 20))).toBe(false);
});

it("is the participant's own file where Web Crypto has no X25519", async () => {
  vi.spyOn(crypto.subtle, "importKey").mockRejectedValue(new DOMException("", "NotSupportedError"));
  const { paste } = await openDetails();
  await paste("Port", configuration);
  await waitFor(() => expect(values()).toBe(" | 51821 |  | 172.20.1.1 | fe80::1:1"));
  expect(report()).toContain(
    "This browser cannot compute your public key: enter the one that 'wg pubkey' prints.",
  );
});

it("has several peers: the participant chooses", async () => {
  const { user, paste } = await openDetails();
  const peers = [own, other].map(
    (each, index) =>
      `[Peer]\nPublicKey = ${each?.publicKey}\nEndpoint = r${index}.example.org:2222${index}\nAllowedIPs = fe80::${index + 5}/128\n`,
  );
  await paste("Public IP or hostname", peers.join("\n"));
  const second = await screen.findByRole("button", { name: /^r1\.example\.org:22221/ });
  expect(values()).toBe(" |  |  |  | ");
  await user.click(second);
  expect(values()).toBe(`r1.example.org | 22221 | ${other?.publicKey} |  | fe80::6`);
  expect(report()).toMatch(
    /^Taken from the configuration: public IP or hostname r1\.example\.org, port 22221, /,
  );
  // A report of values that have changed is wrong.
  await user.type(field("Port"), "1");
  expect(report()).toBeUndefined();
});

it("is a fragment, of which the form takes what it accepts", async () => {
  const { user, paste } = await openDetails();
  await paste("Public IP or hostname", "[2001:db8::1]:51820");
  await waitFor(() => expect(values()).toBe(" | 51820 |  |  | "));
  expect(report()).toBe(
    "Taken: port 51820. Public IP or hostname: IPv6 addresses are not accepted here. Enter a hostname with an AAAA record.Undo",
  );
  await paste("Public IP or hostname", "münchen.example");
  await waitFor(() => expect(field("Public IP or hostname").value).toBe("xn--mnchen-3ya.example"));
  await paste("Port", `${hostOf("syd01")}:20001`);
  await waitFor(() => expect(report()).toBe("This is our node. Enter the values of your own router.Dismiss"));
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  // Values of the field itself are pasted without what people copy with them, and without a word.
  await user.clear(field("Public IP or hostname"));
  await paste("Public IP or hostname", "router.example.org.\n");
  await paste("IPv4 tunnel address", "172.20.1.1/26");
  await paste("IPv6 tunnel address", " [fe80::5%wg0]/64 ");
  await paste("Public key", `PublicKey = ${own?.publicKey}`);
  await waitFor(() =>
    expect(values()).toBe(`router.example.org | 51820 | ${own?.publicKey} | 172.20.1.1 | fe80::5`),
  );
  expect(report()).toBeUndefined();
});

it("is dropped into a field as well, and a text of another kind is left to the field", async () => {
  await openDetails();
  expect(drop("Port", "router.example.org:51820")).toBe(true);
  await waitFor(() => expect(values()).toBe("router.example.org | 51820 |  |  | "));
  expect([drop("Port", "51821"), drop("Port", "about 51821")]).toEqual([false, false]);
  expect(drop("Port", own?.privateKey ?? "")).toBe(true);
  expect(await screen.findByText("This may be a private key. It was not sent or saved.")).toBeTruthy();
});

it("is inserted by a phone's keyboard, and what is typed is left to the field", async () => {
  await openDetails();
  expect(insert("Public IP or hostname", configuration)).toBe(true);
  await waitFor(() => expect(values()).toBe(` | 51821 | ${own?.publicKey} | 172.20.1.1 | fe80::1:1`));
  expect(report()).toContain("Your private key and the pre-shared key were not stored.");
  expect(insert("Public IP or hostname", "router.example.org:51820", "insertReplacementText")).toBe(true);
  await waitFor(() => expect(field("Port").value).toBe("51820"));
  expect(["r", "router", "router.example.org"].map((text) => insert("Public IP or hostname", text))).toEqual([
    false,
    false,
    false,
  ]);
  const everything = await left();
  for (const secret of [own?.privateKey ?? "none", presharedKey])
    expect(everything.includes(secret.slice(0, 20))).toBe(false);
});

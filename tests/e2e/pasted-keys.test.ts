/**
 * A participant pastes WireGuard configurations into the forms: their secret keys stay out of requests, storage, URLs and
 * the console. The details step takes the rest.
 */
import { createPrivateKey, createPublicKey } from "node:crypto";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { calls } from "../../src/contract/calls.ts";
import { outbox, randomKey } from "../integration/server/participant.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";
import { dumpStorage } from "./storage-dump.ts";
import { choose, chooseNode, fill, nextStep, submit } from "./wizard.ts";

const [privateKey, presharedKey, publicKey] = [randomKey(), randomKey(), randomKey()];
const configuration = `[Interface]
PrivateKey = ${privateKey}
ListenPort = 51820
Address = fe80::7/64

[Peer]
PublicKey = ${publicKey}
PresharedKey = ${presharedKey}
Endpoint = syd01.demo.dn42:51820
`;
/** The same on other systems, by the field that it is pasted into. */
const configurations: Readonly<Record<string, string>> = {
  "Public IP or hostname": configuration,
  Port: `[WireGuard]
PrivateKey=${privateKey}
ListenPort=51821
[WireGuardPeer]
PublicKey=${publicKey}
PresharedKey=${presharedKey}
`,
  "Public key": `/interface wireguard add listen-port=51822 name=wg1 private-key="${privateKey}"
/interface wireguard peers add interface=wg1 preshared-key="${presharedKey}" public-key="${publicKey}"
`,
  "IPv4 tunnel address": `config interface 'wg1'
	option private_key '${privateKey}'
	option listen_port '51823'
	list addresses '172.20.1.1/32'
config wireguard_wg1
	option preshared_key '${presharedKey}'
`,
  "IPv6 tunnel address": `PrivateKey = ${privateKey}\nListenPort = 51824\n`,
};
/** As `wg pubkey` computes it. */
const computedKey = createPublicKey(
  createPrivateKey({
    key: Buffer.concat([
      Buffer.from("302e020100300506032b656e04220420", "hex"),
      Buffer.from(privateKey, "base64"),
    ]),
    format: "der",
    type: "pkcs8",
  }),
)
  .export({ type: "spki", format: "der" })
  .subarray(-32)
  .toString("base64");
const demo = useDemo();
const withheld = "This contains a private key. It was not sent or saved.";

/** Collects where a part of a key is found, in everything that the browser sends and prints. */
function watchKeys(page: Page) {
  const leaks = new Set<string>();
  const search = (where: string, ...texts: readonly string[]) => {
    for (const [name, key] of Object.entries({ privateKey, presharedKey })) {
      const forms = [key, encodeURIComponent(key)].map((form) => form.slice(0, 20));
      if (texts.some((text) => forms.some((form) => text.includes(form)))) leaks.add(`${name}: ${where}`);
    }
  };
  page.context().on("request", (request) => {
    const headers = JSON.stringify(request.headers());
    search(`request ${new URL(request.url()).pathname}`, request.url(), headers, request.postData() ?? "");
  });
  page.on("console", (message) => search("console", message.text()));
  return {
    leaks,
    searchPage: async () => {
      for (const { store, content } of await dumpStorage(page)) search(store, content);
      const visited = await page.evaluate(() => [
        JSON.stringify(history.state),
        ...(window as unknown as { navigation: { entries: () => { url: string | null }[] } }).navigation
          .entries()
          .map(({ url }) => url ?? ""),
      ]);
      search("address and history", page.url(), ...visited);
    },
  };
}

async function paste(page: Page, label: string, text?: string): Promise<void> {
  if (text !== undefined) await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.press("ControlOrMeta+V");
}

async function insert(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.insertText(text);
}

/** Waits until the device has a draft with a text. Changes are stored in their order. */
async function waitForDraft(page: Page, text: string): Promise<void> {
  const hasText = async () =>
    (await dumpStorage(page, "databases")).some(({ content }) => content.includes(text));
  await expect.poll(hasText).toBe(true);
}

test("the keys of pasted configurations leave neither the wizard nor the contact form, and other values stay", async () => {
  const page = await openPage(demo.url, {
    as: demo.participant,
    worker: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { leaks, searchPage } = watchKeys(page);
  await chooseNode(page, "syd01");
  await page.evaluate((text) => navigator.clipboard.writeText(text), configuration);
  await choose(page, /Extended Nexthop/, "No");
  await choose(page, /custom tunnel IPv6/, "Yes");
  // What is the same as before is not checked again, so only the first request is certain.
  const check = page.waitForRequest((request) => request.url().endsWith(calls.checkPeerConfig.path));
  await paste(page, "Enter the IPv6 address (link-local preferred):");
  const errors = [await page.getByText(withheld).count()];
  await fill(page, { "Enter the IPv6 address (link-local preferred):": "fe80::2" });
  await nextStep(page);
  for (const [index, [label, text]] of Object.entries(configurations).entries()) {
    // The clipboard bar of a phone's keyboard inserts a text without a paste event.
    if (index === 1) await insert(page, label, text);
    else await paste(page, label, text);
    const port = /5182\d/.exec(text)?.[0] ?? "";
    await page
      .locator("main *")
      .filter({ hasText: `Taken from your configuration: port ${port}, public key` })
      .filter({ hasText: /private key .*not stored\.|Your private key was not stored\./ })
      .last()
      .waitFor();
  }
  await page.evaluate((text) => navigator.clipboard.writeText(text), configuration);
  await page.keyboard.press("Tab");
  await check;
  errors.push(await page.getByText(withheld).count());
  const taken = await Promise.all(
    Object.keys(configurations).map((label) => page.getByLabel(label, { exact: true }).inputValue()),
  );
  await searchPage();
  await fill(page, { "Public IP or hostname": "router." });
  await page.keyboard.press("Tab");
  await waitForDraft(page, "router.");
  await searchPage();
  await page.reload();
  const host = page.getByLabel("Public IP or hostname");
  await host.waitFor();
  const restored = await host.inputValue();

  await page.goto("/manager?view=contact");
  await fill(page, { "Your name": "Ada", "Your message": "My configuration:\n" });
  await paste(page, "Your message");
  await fill(page, { "Your email address": "ada@example.org" });
  errors.push(await page.getByText(withheld).count());
  await waitForDraft(page, "ada@example.org");
  await searchPage();
  await submit(page);
  await page.getByRole("alert").or(page.getByText("Your message has been submitted.")).first().waitFor();
  expect([...leaks]).toEqual([]);
  expect(errors).toEqual([1, 0, 1]);
  expect(taken).toEqual(["", "51824", computedKey, "172.20.1.1", "fe80::7"]);
  expect(restored).toBe("router.");

  const message = page.getByLabel("Your message");
  expect(await message.inputValue()).toContain(privateKey);
  await message.fill("My configuration has no key.");
  await submit(page);
  await page.getByText("Your message has been submitted.").waitFor();
  const mails = (await outbox(demo.url)).filter(({ to }) => to === "support@demo.example");
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining("My configuration has no key.")]);
});

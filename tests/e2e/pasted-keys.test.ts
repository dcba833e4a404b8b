/** A participant pastes a WireGuard configuration into the forms: its keys stay out of requests, storage, URLs and the console. */
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

[Peer]
PublicKey = ${publicKey}
PresharedKey = ${presharedKey}
Endpoint = syd01.demo.dn42:51820
`;
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

async function paste(page: Page, label: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).click();
  await page.keyboard.press("ControlOrMeta+V");
}

/** Waits until the device has a draft with a text. Changes are stored in their order. */
async function waitForDraft(page: Page, text: string): Promise<void> {
  const hasText = async () =>
    (await dumpStorage(page, "databases")).some(({ content }) => content.includes(text));
  await expect.poll(hasText).toBe(true);
}

test("a pasted configuration leaves neither the wizard nor the contact form, and other values stay", async () => {
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
  for (const label of [
    "Port",
    "Public key",
    "IPv4 tunnel address",
    "IPv6 tunnel address",
    "Public IP or hostname",
  ])
    await paste(page, label);
  await page.keyboard.press("Tab");
  await check;
  errors.push(await page.getByText(withheld).count());
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
  expect(errors).toEqual([1, 5, 1]);
  expect(restored).toBe("router.");

  const message = page.getByLabel("Your message");
  expect(await message.inputValue()).toContain(privateKey);
  await message.fill("My configuration has no key.");
  await submit(page);
  await page.getByText("Your message has been submitted.").waitFor();
  const mails = (await outbox(demo.url)).filter(({ to }) => to === "support@demo.example");
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining("My configuration has no key.")]);
});

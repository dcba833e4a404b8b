/** The app at a second host over plain HTTP, where browsers offer no service worker and no clipboard. */
import { expect, test } from "vitest";
import { outbox } from "../integration/server/participant.ts";
import { profileServer } from "../integration/server/profile-server.ts";
import { openUnwatched } from "./open-page.ts";

const inner = "http://peering.example.dn42";
/** What Chromium says about headers that count only where the connection is encrypted. */
const ignoredHeaders = /^The Cross-Origin-Opener-Policy header has been ignored|origin-keyed agent cluster/;
const password = "a sentence for the tests";

test("a participant registers and logs in at the host inside the network, and stays there", async () => {
  const profile = { publicUrl: "https://peering.example.net", otherPublicUrls: [inner] };
  await using server = await profileServer({}, { profile });
  // To the server, a browser that uses it as a proxy looks like a reverse proxy that passes the host on.
  const { page, consoleErrors } = await openUnwatched(inner, {
    proxy: { server: server.url },
    worker: true,
  });
  await page.goto("/register");
  expect(await page.evaluate(() => [isSecureContext, "serviceWorker" in navigator])).toEqual([false, false]);
  await page.getByLabel("ASN").fill("4242420001");
  await page.locator("button[type=submit]").click();
  await page.getByText("We have send a link").waitFor();
  const [mail] = await outbox(server.url);
  await page.goto(/^http:\/\/peering\.example\.dn42\/setPassword\S+$/m.exec(mail?.text ?? "")?.[0] ?? "/");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await page.locator("button[type=submit]").click();
  await page.getByRole("link", { name: "Back to login" }).click();
  await page.getByLabel("ASN").fill("4242420001");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await page.waitForURL(`${inner}/manager`);
  await page.reload();
  await page.getByRole("link", { name: "New peering" }).first().waitFor();
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, secure }) => `${name} ${secure}`).toSorted()).toEqual([
    "peerdeck false",
    "peerdeck-known false",
  ]);
  expect(consoleErrors.filter((message) => !ignoredHeaders.test(message))).toEqual([]);
});

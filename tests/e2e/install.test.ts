/** What a browser needs to install the app, and how the app offers it. */
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type DemoServer, demoServer } from "../integration/server/demo-server.ts";
import { type Participant, signUp } from "../integration/server/participant.ts";
import { launchBrowser } from "./browser.ts";
import { visit } from "./visit.ts";

let server: DemoServer;
let browser: Browser;
let participant: Participant;

beforeAll(async () => {
  [server, browser] = await Promise.all([demoServer(), launchBrowser()]);
  participant = await signUp(server.url, "4242420001", "a sentence for the tests");
});
afterAll(async () => {
  await browser.close();
  await server[Symbol.asyncDispose]();
});

async function openPage(options: Parameters<typeof visit>[2] = {}): Promise<Page> {
  const { page, [Symbol.asyncDispose]: close } = await visit(browser, server.url, options);
  onTestFinished(close);
  return page;
}

test("the browser finds no fault with the manifest, and nothing that stands against installing", async () => {
  const page = await openPage({ worker: true });
  await page.goto("/");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data } = await devtools.send("Page.getAppManifest");
  expect(url).toBe(`${server.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Playwright's windows are the browser's private ones, which install nothing.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  const manifest = JSON.parse(data ?? "") as { name: string; short_name: string };
  expect(manifest).toMatchObject({ name: "Peerdeck Demo Peering Manager", short_name: "Peerdeck Demo" });
});

test("every picture of the manifest is there, in the size that it says, and every shortcut leads somewhere", async () => {
  const page = await openPage({ as: participant });
  await page.goto("/");
  const manifest = (await (await fetch(`${server.url}/manifest.webmanifest`)).json()) as Manifest;
  const pictures = [manifest, ...manifest.shortcuts]
    .flatMap(({ icons }) => icons)
    .concat(manifest.screenshots);
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return `${image.naturalWidth}x${image.naturalHeight}`;
        }),
      ),
    pictures.filter(({ sizes: said }) => said !== "any").map(({ src }) => src),
  );
  expect(sizes).toEqual(pictures.map(({ sizes: said }) => said).filter((said) => said !== "any"));
  expect(manifest.icons.map(({ sizes: said, purpose }) => `${said} ${purpose}`)).toEqual([
    "192x192 any",
    "512x512 any",
    "512x512 maskable",
    "any any",
  ]);
  for (const { name, url } of manifest.shortcuts) {
    await page.goto(url);
    await page
      .getByRole("heading", { name, exact: true })
      .or(page.getByText(`${name} ·`))
      .first()
      .waitFor();
  }
});

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly purpose?: string;
}

interface Manifest {
  readonly icons: readonly Picture[];
  readonly screenshots: readonly Picture[];
  readonly shortcuts: ReadonlyArray<{
    readonly name: string;
    readonly url: string;
    readonly icons: readonly Picture[];
  }>;
}

test("where the browser lets itself be asked there is a button, for once", async () => {
  const page = await openPage({ as: participant });
  await page.goto("/manager");
  const button = page.getByRole("button", { name: "Install this app" });
  await page.getByRole("button", { name: "Logout" }).waitFor();
  expect(await button.count()).toBe(0);
  await page.evaluate(() => {
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: async () => {
        document.body.dataset["asked"] = `${Number(document.body.dataset["asked"] ?? 0) + 1}`;
      },
    });
    document.body.dataset["prevented"] = String(!window.dispatchEvent(offer));
  });
  await button.click();
  await button.waitFor({ state: "detached" });
  expect(
    await page.evaluate(() => [document.body.dataset["asked"], document.body.dataset["prevented"]]),
  ).toEqual(["1", "true"]);
});

test("the button goes when the app was installed in another way", async () => {
  const page = await openPage({ as: participant });
  await page.goto("/manager");
  const button = page.getByRole("button", { name: "Install this app" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeinstallprompt", { cancelable: true })));
  await button.waitFor();
  await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
  await button.waitFor({ state: "detached" });
  expect(await page.getByText("Install", { exact: false }).count()).toBe(0);
});

test("Safari on iOS gets a hint, until it is not wanted any more", async () => {
  const page = await openPage({ as: participant });
  await page.addInitScript(() => Object.defineProperty(navigator, "standalone", { value: false }));
  await page.goto("/manager");
  const hint = page.getByText("open Safari’s Share menu and choose Add to Home Screen");
  await hint.waitFor();
  await page.getByRole("button", { name: "Do not show this again" }).click();
  await hint.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Logout" }).waitFor();
  expect(await hint.count()).toBe(0);
});

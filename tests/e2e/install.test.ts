/** The requirements of browsers for installing the app, and how the app offers it. */
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { oneOfCommit } from "../support/share-of-commit.ts";
import { useDemo } from "./demo-scene.ts";
import { openPage } from "./open-page.ts";

const demo = useDemo();

test("the browser reports no obstacle to installing, and the manifest's images and shortcuts are complete", async () => {
  const page = await openPage(demo.url, { as: demo.participant, worker: true });
  await page.goto("/");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const devtools = await page.context().newCDPSession(page);
  const { url, errors, data } = await devtools.send("Page.getAppManifest");
  expect(url).toBe(`${demo.url}/manifest.webmanifest`);
  expect(errors).toEqual([]);
  const { installabilityErrors } = await devtools.send("Page.getInstallabilityErrors");
  // Playwright's windows are private, and private windows cannot install apps.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
  const manifest = JSON.parse(data ?? "") as Manifest;
  expect(manifest).toMatchObject({ name: "Peerdeck Demo Peering Manager", short_name: "Peerdeck Demo" });

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
  for (const { name, url: path } of oneOfCommit(manifest.shortcuts)) {
    await page.goto(path);
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
  readonly name: string;
  readonly short_name: string;
  readonly icons: readonly Picture[];
  readonly screenshots: readonly Picture[];
  readonly shortcuts: ReadonlyArray<{
    readonly name: string;
    readonly url: string;
    readonly icons: readonly Picture[];
  }>;
}

const button = (page: Page) => page.getByRole("button", { name: "Install this app" });
const hint = (page: Page) => page.getByText("open Safari’s Share menu and choose Add to Home Screen");

/** Sends the install event, as Chromium does. The app prevents the browser's own prompt. */
async function sendInstallEvent(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const offer = Object.assign(new Event("beforeinstallprompt", { cancelable: true }), {
      prompt: async () => {
        document.body.dataset["asked"] = `${Number(document.body.dataset["asked"] ?? 0) + 1}`;
      },
    });
    return !window.dispatchEvent(offer);
  });
}

test.each(oneOfCommit(["/", "/manager"]))(
  "%s offers to install, once for each event of the browser, until the app is installed in another way",
  async (path) => {
    const page = await openManager();
    expect([await button(page).count(), await hint(page).count()]).toEqual([0, 0]);
    await page.goto(path);
    for (const times of ["1", "2"]) {
      await sendInstallEvent(page);
      await button(page).click();
      await button(page).waitFor({ state: "detached" });
      expect(await page.evaluate(() => document.body.dataset["asked"])).toBe(times);
    }
    await sendInstallEvent(page);
    await button(page).waitFor();
    await page.evaluate(() => window.dispatchEvent(new Event("appinstalled")));
    await button(page).waitFor({ state: "detached" });
  },
);

/** @param standalone whether the app runs from the home screen, a property that only Safari on iOS has. */
async function openManager(standalone?: boolean): Promise<Page> {
  const page = await openPage(demo.url, { as: demo.participant, ownTab: true });
  await page.addInitScript((value) => {
    if (value !== undefined) Object.defineProperty(navigator, "standalone", { value });
  }, standalone);
  await page.goto("/manager");
  await page.getByRole("button", { name: "Logout" }).waitFor();
  return page;
}

test("Safari on iOS shows a hint until it is dismissed, and none from the home screen", async () => {
  const page = await openManager(false);
  await hint(page).waitFor();
  await page.getByRole("button", { name: "Don’t show this again" }).click();
  await hint(page).waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("button", { name: "Logout" }).waitFor();
  expect(await hint(page).count()).toBe(0);
  const installed = await openManager(true);
  expect([await button(installed).count(), await hint(installed).count()]).toEqual([0, 0]);
});

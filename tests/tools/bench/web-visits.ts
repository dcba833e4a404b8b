/** Measures visits to the front page: the first one, on a slow phone, and later ones without a network. */
import type { Browser, Page } from "playwright";
import { waitForWorker } from "../../e2e/installed-device.ts";
import { slowCpu, slowNetwork } from "./slow-phone.ts";

/** Milliseconds since the navigation began. */
export interface Paints {
  /** First Contentful Paint. */
  readonly content: number;
  /** The paint of the screen's heading. */
  readonly heading: number;
}

export interface Visits {
  /** With a slow network and a slow CPU. */
  readonly first: Paints;
  /** Without a network. */
  readonly second: Paints;
  /** Without a network and with a slow CPU. */
  readonly slowSecond: Paints;
}

/** @param slowness how many times slower than this machine's a slow CPU is */
export async function measureVisits(browser: Browser, url: string, slowness: number): Promise<Visits> {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    await page.addInitScript(recordHeadingPaint);
    // Starts the page's process before the measurement.
    await page.goto("about:blank");
    const fastNetwork = await slowNetwork(page);
    const fastCpu = await slowCpu(page, slowness);
    await page.goto(url);
    const first = await paintsOf(page);
    await fastNetwork();
    await fastCpu();
    await waitForWorker(page);
    await context.setOffline(true);
    await page.goto("about:blank");
    await page.goto(url);
    const second = await paintsOf(page);
    await page.goto("about:blank");
    await slowCpu(page, slowness);
    await page.goto(url);
    return { first, second, slowSecond: await paintsOf(page) };
  } finally {
    await context.close();
  }
}

declare global {
  interface Window {
    headingPaintedAt?: number;
  }
}

/** Runs in the page. A frame with the heading is on the screen when the first task after that frame runs. */
function recordHeadingPaint(): void {
  const check = () => {
    const heading = document.querySelector<HTMLElement>("h1");
    if (heading === null || heading.innerText === "" || heading.getClientRects().length === 0) {
      requestAnimationFrame(check);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      window.headingPaintedAt = performance.now();
    });
    port1.start();
    port2.postMessage(null);
  };
  requestAnimationFrame(check);
}

async function paintsOf(page: Page): Promise<Paints> {
  await page.waitForFunction(
    () =>
      window.headingPaintedAt !== undefined &&
      performance.getEntriesByName("first-contentful-paint").length > 0,
  );
  return page.evaluate(() => ({
    content: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    heading: window.headingPaintedAt ?? Number.NaN,
  }));
}

/**
 * Prints how much each screen moves while its data arrive, as Cumulative Layout Shift counts it, on a phone and on a desktop
 * with responses that take 1.2 s (`npm run bench:shifts`). Arguments select screens by the start of their names.
 */
import type { Page } from "playwright";
import { visit } from "../../e2e/visit.ts";
import { demoServer } from "../../integration/server/demo-server.ts";
import { launchPictureBrowser } from "../pictures/picture-browser.ts";
import { openScreen, screens, signUpWithPeerings } from "../pictures/screen-list.ts";

/** Longer than a loader waits, so that a screen is shown before its data. */
const delayMs = 1_200;

interface LayoutShift extends PerformanceEntry {
  readonly hadRecentInput: boolean;
  readonly value: number;
  readonly sources: ReadonlyArray<{
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }>;
}

const starts = process.argv.slice(2);
const chosen = screens.filter(
  ({ name }) => starts.length === 0 || starts.some((start) => name.startsWith(start)),
);
await using server = await demoServer();
const participant = chosen.some(({ manager }) => manager) ? await signUpWithPeerings(server.url) : null;
await using browser = await launchPictureBrowser();
for (const screen of chosen) {
  for (const width of [390, 1440]) {
    const viewport = { width, height: 900 };
    await using opened = await visit(browser, server.url, {
      viewport,
      ...(screen.manager && participant && { as: participant }),
    });
    await recordShifts(opened.page);
    await openScreen(opened.page, screen, delayMs);
    const shifts = await opened.page.evaluate(() => Reflect.get(window, "shifts") as [number, string][]);
    const total = shifts.reduce((sum, [value]) => sum + value, 0);
    process.stdout.write(`${screen.name} at ${width} px: ${total.toFixed(4)}\n`);
    for (const [value, moved] of shifts) process.stdout.write(`  ${value.toFixed(4)} ${moved}\n`);
  }
}

/** Collects what moves on a page without an input shortly before. */
async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: [number, string][] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShift[]) {
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const name = node?.textContent?.slice(0, 60) || (node?.nodeName ?? "");
          return `${name}, by ${currentRect.y - previousRect.y} px`;
        });
        if (!entry.hadRecentInput) shifts.push([entry.value, moved.join(" | ")]);
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** Measures clicks from screen to screen when all code and data is already loaded. */
import type { Browser, Page } from "playwright";
import { visit } from "../../e2e/visit.ts";
import type { Participant } from "../../integration/server/participant.ts";
import { slowCpu } from "./slow-phone.ts";

export interface RouteChange {
  readonly to: string;
  /** Milliseconds from the click to the frame with the new heading. */
  readonly durationMs: number;
}

interface RouteOptions {
  readonly participant: Participant;
  readonly count: number;
  /** How many times slower than this machine's the CPU is. */
  readonly slowness: number;
}

/** The links in the order of the clicks, which repeats, and the headings of their screens. */
const round: ReadonlyArray<readonly [link: string, heading: string]> = [
  ["Node Status", "Node Status"],
  ["Stats", "Stats"],
  ["Contact", "Contact"],
  ["Dashboard", "Dashboard"],
  ["Create new peering", "Select a node"],
];

export async function changeRoutes(
  browser: Browser,
  url: string,
  { participant, count, slowness }: RouteOptions,
): Promise<readonly RouteChange[]> {
  await using visitor = await visit(browser, url, {
    as: participant,
    worker: true,
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  await page.goto("/manager");
  for (const step of round) await change(page, step);
  await slowCpu(page, slowness);
  const changes: RouteChange[] = [];
  for (let index = 0; index < count; index += 1) {
    const step = round[index % round.length];
    if (step) changes.push({ to: step[1], durationMs: await change(page, step) });
  }
  return changes;
}

async function change(
  page: Page,
  [link, heading]: readonly [link: string, heading: string],
): Promise<number> {
  const target = page.getByRole("link", { name: link, exact: true }).first();
  // The pointer is over the link before the click, as with a real mouse. The click uses the mouse instead of the locator,
  // because the locator runs its own scripts in the page while the app renders.
  await target.hover();
  await page.waitForTimeout(300);
  await page.evaluate(recordChange, heading);
  await page.mouse.down();
  await page.mouse.up();
  return page.evaluate(() => window.changeTook);
}

declare global {
  interface Window {
    /** Milliseconds from the click to the frame that shows the heading. */
    changeTook: Promise<number>;
  }
}

/** Runs in the page, before the click. */
function recordChange(heading: string): void {
  window.changeTook = new Promise((resolve) => {
    const onClick = ({ timeStamp }: MouseEvent) => {
      const check = () => {
        const shown = Array.from(document.querySelectorAll<HTMLElement>("h1, h2"));
        if (!shown.some(({ innerText }) => innerText === heading)) {
          requestAnimationFrame(check);
          return;
        }
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => resolve(performance.now() - timeStamp));
        port1.start();
        port2.postMessage(null);
      };
      requestAnimationFrame(check);
    };
    addEventListener("click", onClick, { capture: true, once: true });
  });
}

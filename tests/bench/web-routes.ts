/** Going from screen to screen by clicking, when everything that a screen needs has been loaded before. */
import type { Browser, Page } from "playwright";
import { visit } from "../e2e/visit.ts";
import { slowCpu } from "./slow-phone.ts";
import type { Site } from "./web-site.ts";

export interface RouteChange {
  readonly to: string;
  /** Milliseconds from the click to the frame with the new heading. */
  readonly took: number;
}

/** Links in the order in which they are clicked, round and round, and the headings that they lead to. */
const round: ReadonlyArray<readonly [link: string, heading: string]> = [
  ["Node Status", "Node Status"],
  ["Stats", "Stats"],
  ["Contact", "Contact"],
  ["Dashboard", "Dashboard"],
  ["Create new peering", "Select a node"],
];

export async function changeRoutes(
  browser: Browser,
  site: Site,
  count: number,
): Promise<readonly RouteChange[]> {
  await using visitor = await visit(browser, site.url, {
    as: site.participant,
    worker: true,
    viewport: { width: 1280, height: 900 },
  });
  const { page } = visitor;
  await page.goto("/manager");
  for (const step of round) await change(page, step);
  await slowCpu(page);
  const changes: RouteChange[] = [];
  for (let index = 0; index < count; index += 1) {
    const step = round[index % round.length];
    if (step) changes.push({ to: step[1], took: await change(page, step) });
  }
  return changes;
}

async function change(
  page: Page,
  [link, heading]: readonly [link: string, heading: string],
): Promise<number> {
  const target = page.getByRole("link", { name: link, exact: true }).first();
  // As a person does: the pointer is there before it clicks. The click itself is the mouse's and not the locator's,
  // which runs scripts of its own in the page while the app answers.
  await target.hover();
  await page.waitForTimeout(300);
  await page.evaluate(watchChange, heading);
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
function watchChange(heading: string): void {
  window.changeTook = new Promise((resolve) => {
    const onClick = ({ timeStamp }: MouseEvent) => {
      const look = () => {
        const shown = Array.from(document.querySelectorAll<HTMLElement>("h1, h2"));
        if (!shown.some(({ innerText }) => innerText === heading)) {
          requestAnimationFrame(look);
          return;
        }
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", () => resolve(performance.now() - timeStamp));
        port1.start();
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    addEventListener("click", onClick, { capture: true, once: true });
  });
}

/** A person without a mouse: what has the focus, whether they can see it, and how they get on from there. */
import type { Page } from "playwright";

interface Focused {
  /** What a person would call it: its label or its text. */
  readonly name: string;
  readonly role: string;
  /** An outline of two pixels or more, on itself or on the label around it. */
  readonly ringed: boolean;
  readonly inSight: boolean;
}

export function focused(page: Page): Promise<Focused> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement)) throw new Error("nothing has the focus");
    const label = element instanceof HTMLInputElement ? (element.labels?.[0] ?? null) : null;
    const name = element.getAttribute("aria-label") ?? (label ?? element).textContent;
    const outlines = [element, element.closest("label")].map((each) => each && getComputedStyle(each));
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return {
      name: name.trim(),
      role: element.getAttribute("role") ?? element.tagName.toLowerCase(),
      ringed: outlines.some(
        (style) => style?.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2,
      ),
      inSight: bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth,
    };
  });
}

/** Presses Tab once. Where the focus lands is ringed and in sight, else this throws. */
export async function tab(page: Page, key: "Tab" | "Shift+Tab" = "Tab"): Promise<string> {
  await page.keyboard.press(key);
  const { name, ringed, inSight } = await focused(page);
  if (!ringed || !inSight) {
    throw new Error(`The focus on "${name}" ${ringed ? "is out of sight" : "cannot be seen"}.`);
  }
  return name;
}

/** Presses Tab until the thing of this name has the focus; gives the names of all that had it on the way. */
export async function tabTo(page: Page, wanted: string): Promise<readonly string[]> {
  const passed: string[] = [];
  while (passed.length < 30) {
    const name = await tab(page);
    if (name === wanted) return passed;
    passed.push(name);
  }
  throw new Error(`"${wanted}" was not reached by Tab, only: ${passed.join(", ")}`);
}

/** Waits until a heading of this text has the focus: a screen has appeared and told so. */
export async function arriveAt(page: Page, heading: string): Promise<void> {
  await page.waitForFunction(
    (text) =>
      /^H\d$/.test(document.activeElement?.tagName ?? "") && document.activeElement?.textContent === text,
    heading,
  );
}

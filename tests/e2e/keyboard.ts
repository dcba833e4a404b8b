/** Keyboard use: which element has the focus, whether the focus is visible, and moving it with Tab. */
import type { Page } from "playwright";

interface Focused {
  /** The element's label or text. */
  readonly name: string;
  readonly role: string;
  /** An outline of two pixels or more, on the element or on the label around it. */
  readonly hasFocusRing: boolean;
  readonly isVisible: boolean;
}

export function readFocus(page: Page): Promise<Focused> {
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
      hasFocusRing: outlines.some(
        (style) => style?.outlineStyle === "solid" && parseFloat(style.outlineWidth) >= 2,
      ),
      isVisible: bottom > 0 && top < window.innerHeight && right > 0 && left < window.innerWidth,
    };
  });
}

/** Presses Tab once. Throws if the focused element has no focus ring or is outside the viewport. */
export async function pressTab(page: Page, key: "Tab" | "Shift+Tab" = "Tab"): Promise<string> {
  await page.keyboard.press(key);
  const { name, hasFocusRing, isVisible } = await readFocus(page);
  if (!hasFocusRing || !isVisible) {
    throw new Error(`The focus on "${name}" ${hasFocusRing ? "is outside the viewport" : "has no ring"}.`);
  }
  return name;
}

/** Presses Tab until the element with this name has the focus. Returns the names of the elements before it. */
export async function tabTo(page: Page, target: string): Promise<readonly string[]> {
  const passed: string[] = [];
  while (passed.length < 30) {
    const name = await pressTab(page);
    if (name === target) return passed;
    passed.push(name);
  }
  throw new Error(`"${target}" was not reached by Tab, only: ${passed.join(", ")}`);
}

/** Waits until the heading with this text has the focus, as it does when its screen appears. */
export async function waitForFocusedHeading(page: Page, heading: string): Promise<void> {
  await page.waitForFunction(
    (text) =>
      /^H\d$/.test(document.activeElement?.tagName ?? "") && document.activeElement?.textContent === text,
    heading,
  );
}

/** Waits until the screen with this heading is shown and its field with this label has the focus. */
export async function waitForFocusedField(page: Page, heading: string, label: string): Promise<void> {
  await page.waitForFunction(
    ([title, name]) => {
      const { activeElement: focused } = document;
      return (
        document.querySelector("main :is(h1, h2)")?.textContent === title &&
        focused instanceof HTMLInputElement &&
        focused.labels?.[0]?.textContent === name
      );
    },
    [heading, label] as const,
  );
}

/**
 * Questions about a page. The functions with roles and labels run in the page, so each uses nothing of this module. Those
 * that need Testing Library return "no library" in a page without it.
 */
import type * as TestingLibrary from "@testing-library/dom";
import type { Point } from "./engine.ts";

export type MissingLibrary = "no library";

type LibraryWindow = typeof window & { readonly TestingLibraryDom?: typeof TestingLibrary };

/** An exact name, or a pattern. */
export type Name = string | RegExp;

export interface Focusable {
  /** The element's accessible name. */
  readonly name: string;
  readonly role: string;
}

/** A name as JSON: patterns cannot be sent to a page. */
type SerializedName = { readonly exact: string } | { readonly pattern: string; readonly flags: string };

export function serializeName(name: Name): SerializedName {
  return typeof name === "string" ? { exact: name } : { pattern: name.source, flags: name.flags };
}

export interface Found {
  readonly point: Point;
  readonly isEnabled: boolean;
  /** Whether a click at the point reaches the element. */
  readonly isHit: boolean;
}

/** Returns all elements with a role and an accessible name. */
export function findElements(role: string, name: SerializedName): readonly Found[] | MissingLibrary {
  const library = (window as LibraryWindow).TestingLibraryDom;
  if (library === undefined) return "no library";
  const { queryAllByRole } = library;
  const pattern = "exact" in name ? name.exact : new RegExp(name.pattern, name.flags);
  const elements = queryAllByRole(document.body, role, { name: pattern });
  return elements.map((element) => {
    // The input of a styled choice is invisible: participants click its label.
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const target = label && element.getBoundingClientRect().width <= 2 ? label : element;
    if (elements.length === 1) target.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { x, y, width, height } = target.getBoundingClientRect();
    const point = { x: x + width / 2, y: y + height / 2 };
    const hit = document.elementFromPoint(point.x, point.y);
    return {
      point,
      isEnabled: !element.matches(":disabled, [aria-disabled=true]"),
      isHit: hit !== null && (target.contains(hit) || hit.contains(target)),
    };
  });
}

/** Focuses a field and selects its text. Passwords have no role, so fields are found by their label. */
export function focusField(label: string): boolean | MissingLibrary {
  const library = (window as LibraryWindow).TestingLibraryDom;
  if (library === undefined) return "no library";
  const { queryByLabelText } = library;
  const field = queryByLabelText(document.body, label, { selector: "input, textarea" });
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  field.focus();
  field.select();
  return document.activeElement === field;
}

/** What Tab can lead to. Elements that are taken out of its order match too. */
export const focusableSelector = ":is(a[href], button, input, textarea, [tabindex]):not(:disabled)";

/** Returns the elements that match a selector, or, without one, the element that has the focus. */
export function readFocusable(selector: string | null): readonly Focusable[] {
  const { activeElement, body } = document;
  const focused = activeElement === body || activeElement === null ? [] : [activeElement];
  const elements = selector === null ? focused : Array.from(document.querySelectorAll(selector));
  return elements.map((element) => {
    const labels = (element as HTMLInputElement).labels;
    const name = element.getAttribute("aria-label") ?? (labels?.[0] ?? element).textContent;
    return { name: name.trim(), role: element.getAttribute("role") ?? element.tagName.toLowerCase() };
  });
}

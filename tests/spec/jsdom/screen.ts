/** What tests of rows look for on the screen and do with it. Whatever they look for, they wait for. */
import { act, fireEvent, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import type { AppTab } from "../../support/app-tab.tsx";
import { waitFor } from "../../support/wait-for.ts";

/** Finds the elements that match now. Queries are made before their elements exist, and evaluated again and again. */
export interface Query {
  (): HTMLElement[];
  readonly description: string;
}

type Words = string | RegExp;

/** @param inside limits the query to the elements that this one finds; the whole page unless given. */
function createQuery(
  description: string,
  inside: Query | undefined,
  findIn: (root: HTMLElement) => HTMLElement[],
): Query {
  const query = () => (inside?.() ?? [document.body]).flatMap(findIn);
  return Object.assign(query, {
    description: inside ? `${description} in ${inside.description}` : description,
  });
}

export function byRole(role: string, name?: Words, inside?: Query): Query {
  return createQuery(`${role} ${String(name ?? "")}`, inside, (root) =>
    within(root).queryAllByRole(role, name === undefined ? {} : { name }),
  );
}

export const heading = (name: Words, inside?: Query) => byRole("heading", name, inside);
export const button = (name: Words, inside?: Query) => byRole("button", name, inside);
export const link = (name: Words, inside?: Query) => byRole("link", name, inside);
export const region = (name: Words, inside?: Query) => byRole("region", name, inside);
export const navigation = (name: string) => byRole("navigation", name);
export const tab = (name: string) => byRole("tab", name);
export const banner = byRole("banner");
export const main = byRole("main");

/** The input with this label. */
export const field = (label: string, inside?: Query) =>
  createQuery(`field ${label}`, inside, (root) => within(root).queryAllByLabelText(label));

export const bySelector = (selector: string, inside?: Query) =>
  createQuery(selector, inside, (root) => Array.from(root.querySelectorAll<HTMLElement>(selector)));

/** The first of the elements that the query finds. */
export const first = (query: Query) =>
  createQuery(`first ${query.description}`, undefined, () => query().slice(0, 1));
/** The last of the elements that the query finds. */
export const last = (query: Query) =>
  createQuery(`last ${query.description}`, undefined, () => query().slice(-1));

/** The innermost elements whose whole text is this, or matches it. */
export const text = (words: Words, inside?: Query) =>
  createQuery(`text ${String(words)}`, inside, (root) => innermost(root, words));

function innermost(element: HTMLElement, words: Words): HTMLElement[] {
  if (element.matches("script, style")) return [];
  const own = readText(element);
  // What does not contain a text has no element with this text.
  if (typeof words === "string" && !own.includes(words)) return [];
  const inner = Array.from(element.children).flatMap((child) => innermost(child as HTMLElement, words));
  if (inner.length > 0) return inner;
  return (typeof words === "string" ? own === words : words.test(own)) ? [element] : [];
}

/** The text of an element with its white space collapsed. */
export const readText = (element: Element): string =>
  (element.textContent ?? "").replaceAll(/\s+/g, " ").trim();

export const readTexts = (query: Query): string[] => query().map(({ textContent }) => textContent);

/** Waits until the query finds one element and returns it. */
export async function find(query: Query): Promise<HTMLElement> {
  return waitFor(() => {
    const found = query();
    const [element] = found;
    if (!element || found.length > 1) throw new Error(`${found.length} elements are ${query.description}`);
    return element;
  });
}

/** Waits until the query finds an element and returns all. */
export async function findAll(query: Query): Promise<HTMLElement[]> {
  return waitFor(() => {
    const found = query();
    if (found.length === 0) throw new Error(`no element is ${query.description}`);
    return found;
  });
}

/** Waits until each query finds one element, which is not hidden. */
export async function expectShown(...queries: readonly Query[]): Promise<void> {
  for (const query of queries) {
    const element = await find(query);
    expect([query.description, element.closest("[hidden], dialog:not([open])")]).toEqual([
      query.description,
      null,
    ]);
  }
}

/** Waits until the query finds this number of elements. */
export async function expectCount(query: Query, count: number): Promise<void> {
  await waitFor(() => expect([query.description, query().length]).toEqual([query.description, count]));
}

/** Waits until the address bar shows this path and search. */
export async function expectAddress(app: AppTab, address: string): Promise<void> {
  await waitFor(() => expect(app.address()).toBe(address));
}

/** Waits until the document has this title. */
export async function expectTitle(title: string): Promise<void> {
  await waitFor(() => expect(document.title).toBe(title));
}

/** Waits until the element can be used, or cannot. */
export async function expectEnabled(query: Query, expected: boolean): Promise<void> {
  await waitFor(() =>
    expect([query.description, query().map(isEnabled)]).toEqual([query.description, [expected]]),
  );
}

const isEnabled = (element: HTMLElement) => !element.matches(":disabled, [aria-disabled=true]");

/** Clicks the element as soon as it is enabled, with the focus and without the pointer's other events. */
export async function click(query: Query): Promise<void> {
  await expectEnabled(query, true);
  const element = await find(query);
  // A browser runs the effects of the last render before the next event.
  await nextTask();
  act(() => {
    element.closest<HTMLElement>("a, button, input, summary, [tabindex]")?.focus();
    element.click();
  });
  await nextTask();
}

/** Lets the tasks that are due run, also while the clock is stopped. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

export async function press(query: Query, key: string): Promise<void> {
  const element = await find(query);
  act(() => element.focus());
  await userEvent.keyboard(`{${key}}`);
}

/** Leaves a field, as the tab key does. */
export async function blur(query: Query): Promise<void> {
  const element = await find(query);
  act(() => element.blur());
}

/** Replaces the values of fields at once, as pasting into each does. */
export async function fill(values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, value] of Object.entries(values)) {
    const input = await find(field(label));
    act(() => input.focus());
    fireEvent.change(input, { target: { value } });
  }
}

export async function readValue(query: Query): Promise<string> {
  return ((await find(query)) as HTMLInputElement).value;
}

export async function readAttribute(query: Query, name: string): Promise<string | null> {
  return (await find(query)).getAttribute(name);
}

export const submit = () => click(button("Submit"));

export async function followLink(app: AppTab, name: string, address: string): Promise<void> {
  await click(link(name));
  await expectAddress(app, address);
}

/** The terms of description lists and the text beside each. */
export async function readFacts(inside: Query): Promise<Record<string, string>> {
  const terms = await findAll(bySelector("dt", inside));
  return Object.fromEntries(
    terms.map((term) => [term.textContent, term.nextElementSibling?.textContent ?? ""]),
  );
}

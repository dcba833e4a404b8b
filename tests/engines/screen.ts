/**
 * What a participant does on a screen: finds elements by role and accessible name, clicks, types. The rules are those of
 * Testing Library, which runs in the page, so that all engines are asked the same question.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { repository } from "../support/repository.ts";
import type { Key, Point, Tab } from "./engine.ts";
import {
  findElements,
  focusableSelector,
  focusField,
  type Focusable,
  type MissingLibrary,
  type Name,
  readFocusable,
  serializeName,
} from "./page-queries.ts";

const timeoutMs = 20_000;
/** The interval grows, so that a long wait costs little. */
const firstIntervalMs = 50;
const lastIntervalMs = 300;

export interface Screen {
  readonly tab: Tab;
  readonly open: (path: string) => Promise<void>;
  readonly reload: () => Promise<void>;
  /** Waits until exactly one element matches, is enabled and does not move, and clicks it. */
  readonly click: (role: string, name: Name) => Promise<void>;
  /** Replaces the text of a field. */
  readonly fill: (label: string, value: string) => Promise<void>;
  readonly waitFor: (role: string, name: Name) => Promise<void>;
  readonly waitForNone: (role: string, name: Name) => Promise<void>;
  /** Returns how many elements match now. */
  readonly count: (role: string, name: Name) => Promise<number>;
  /** Waits until the page shows a text. */
  readonly waitForText: (text: string) => Promise<void>;
  /** The texts that the page shows. */
  readonly text: () => Promise<string>;
  readonly press: (key: Key) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  readonly focus: () => Promise<Focusable>;
  readonly waitForFocus: (name: Name) => Promise<void>;
  /** Waits until an element with this name can have the focus, and presses Tab until it has. */
  readonly tabTo: (name: Name) => Promise<void>;
  /** Waits until a function, which runs in the page, returns true. */
  readonly waitUntil: (description: string, check: () => boolean | Promise<boolean>) => Promise<void>;
}

const library = path.join(
  repository,
  "node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js",
);

export async function createScreen(tab: Tab): Promise<Screen> {
  const source = await readFile(library, "utf8");
  /** Repeats until the result is defined. A page that is being left rejects: the next one is asked. */
  const poll = async <T>(description: string, attempt: () => Promise<T | undefined>): Promise<T> => {
    const end = performance.now() + timeoutMs;
    let problem = "";
    let intervalMs = firstIntervalMs;
    while (performance.now() < end) {
      try {
        const result = await attempt();
        if (result !== undefined) return result;
      } catch (error) {
        problem = String(error);
      }
      await delay(intervalMs);
      intervalMs = Math.min(intervalMs * 1.3, lastIntervalMs);
    }
    throw new Error(`${description} within ${timeoutMs} ms. ${problem}\n${await shownText().catch(String)}`);
  };
  /** Runs a function that needs Testing Library. Every page that is loaded lacks it at first. */
  const withLibrary = async <A extends readonly unknown[], R>(
    run: (...args: A) => R | MissingLibrary,
    ...args: A
  ): Promise<R> => {
    for (;;) {
      const result = await tab.evaluate(run, ...args);
      if (result !== "no library") return result;
      await tab.runScript(source);
    }
  };
  const find = (role: string, name: Name) => withLibrary(findElements, role, serializeName(name));
  const shownText = () => tab.evaluate(() => document.body.innerText);
  const focus = async (): Promise<Focusable> => {
    const [focused] = await tab.evaluate(readFocusable, null);
    return focused ?? { name: "", role: "" };
  };

  const pointOf = async (role: string, name: Name): Promise<Point> => {
    let before = "";
    return poll(`No single enabled ${role} ${String(name)} that stays in its place`, async () => {
      const found = await find(role, name);
      const [only] = found;
      if (found.length !== 1 || !only) throw new Error(`${found.length} match.`);
      const isStable = before === JSON.stringify(only);
      before = JSON.stringify(only);
      if (!only.isEnabled) throw new Error("It is disabled.");
      if (!only.isHit) throw new Error("Another element covers it.");
      return isStable ? only.point : undefined;
    });
  };

  return {
    tab,
    open: tab.goto,
    reload: tab.reload,
    click: async (role, name) => tab.clickAt(await pointOf(role, name)),
    async fill(label, value) {
      await poll(`No field ${label}`, async () =>
        (await withLibrary(focusField, label)) ? true : undefined,
      );
      await tab.type(value);
    },
    waitFor: async (role, name) =>
      void (await poll(`No ${role} ${String(name)}`, async () =>
        (await find(role, name)).length > 0 ? true : undefined,
      )),
    waitForNone: async (role, name) =>
      void (await poll(`Still a ${role} ${String(name)}`, async () =>
        (await find(role, name)).length === 0 ? true : undefined,
      )),
    count: async (role, name) => (await find(role, name)).length,
    waitForText: async (text) =>
      void (await poll(`No text ${text}`, async () => {
        return (await shownText()).includes(text) ? true : undefined;
      })),
    text: shownText,
    press: tab.press,
    type: tab.type,
    focus,
    waitForFocus: async (name) =>
      void (await poll(`The focus is not on ${String(name)}`, async () =>
        matches((await focus()).name, name) ? true : undefined,
      )),
    async tabTo(name) {
      // Past the end of a page, Firefox without a window ignores keys.
      await poll(`Nothing named ${String(name)} can have the focus`, async () => {
        const all = await tab.evaluate(readFocusable, focusableSelector);
        return all.some((each) => matches(each.name, name)) ? true : undefined;
      });
      const passed: string[] = [];
      while (passed.length < 40) {
        await tab.press("Tab");
        const focused = await focus();
        if (matches(focused.name, name)) return;
        passed.push(focused.name);
      }
      throw new Error(`Tab did not reach ${String(name)}, only: ${passed.join(", ")}`);
    },
    waitUntil: async (description, check) =>
      void (await poll(description, async () => ((await tab.evaluate(check)) ? true : undefined))),
  };
}

function matches(text: string, name: Name): boolean {
  return typeof name === "string" ? text === name : name.test(text);
}

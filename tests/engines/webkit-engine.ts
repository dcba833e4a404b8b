/**
 * WebKitGTK in its MiniBrowser, over WebDriver. All tabs share one window, because a driver has one private session: each
 * tab has a server address of its own, and thereby storage of its own.
 */
import { globSync } from "node:fs";
import { startConsoleCapture } from "./console-capture.ts";
import { type Engine, type Key, type Tab, viewport } from "./engine.ts";
import { startWebDriverSession, type WebDriverSession } from "./webdriver-client.ts";
import { startWebKitDriver } from "./webkit-driver.ts";

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keyCodes: Readonly<Record<Key, string>> = {
  Tab: "\uE004",
  Enter: "\uE007",
  Escape: "\uE00C",
  Space: " ",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowRight: "\uE014",
};

export async function startWebKit(): Promise<Engine> {
  const driver = await startWebKitDriver();
  const [binary] = globSync("/usr/lib/*/webkit2gtk-4.1/MiniBrowser");
  const session = await startWebDriverSession(driver.url, {
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { binary, args: ["--automation"] },
  });
  await session.send("POST", "/window/rect", { x: 0, y: 0, ...viewport });
  return {
    name: "WebKit",
    openTab: (server) => openTab(session, server),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await driver[Symbol.asyncDispose]();
    },
  };
}

async function openTab(session: WebDriverSession, server: string): Promise<Tab> {
  const capture = await startConsoleCapture(server);
  const perform = (...actions: readonly unknown[]) => session.send("POST", "/actions", { actions });
  const keys = (...actions: readonly unknown[]) => perform({ type: "key", id: "keyboard", actions });
  return {
    origin: capture.url,
    goto: async (path) => void (await session.send("POST", "/url", { url: `${capture.url}${path}` })),
    reload: async () => void (await session.send("POST", "/refresh")),
    async evaluate(run, ...args) {
      const outcome = (await session.send("POST", "/execute/async", {
        script: `const done = arguments[1];
          new Promise((resolve) => resolve((${String(run)})(...arguments[0])))
            .then((value) => done({ value }), (error) => done({ error: String(error) }));`,
        args: [args],
      })) as { readonly value?: unknown; readonly error?: string };
      if (outcome.error !== undefined) throw new Error(outcome.error);
      return outcome.value as never;
    },
    runScript: async (source) =>
      void (await session.send("POST", "/execute/sync", { script: source, args: [] })),
    clickAt: async ({ x, y }) =>
      void (await perform({
        type: "pointer",
        id: "mouse",
        actions: [
          { type: "pointerMove", x: Math.round(x), y: Math.round(y), duration: 0 },
          { type: "pointerDown", button: 0 },
          { type: "pointerUp", button: 0 },
        ],
      })),
    type: async (text) => void (await keys(...Array.from(text).flatMap(stroke))),
    press: async (key) => void (await keys(...stroke(keyCodes[key]))),
    consoleErrors: () => capture.errors,
    async [Symbol.asyncDispose]() {
      // The command deletes the cookies of the current page, and cookies do not know ports.
      await session.send("DELETE", "/cookie");
      await session.send("POST", "/url", { url: "about:blank" });
      await capture[Symbol.asyncDispose]();
    },
  };
}

function stroke(value: string): readonly unknown[] {
  return [
    { type: "keyDown", value },
    { type: "keyUp", value },
  ];
}

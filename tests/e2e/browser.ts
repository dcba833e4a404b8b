import { type Browser, chromium } from "playwright";

export const browserFlags: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Debian's Chromium: the complete browser, headless, or its shell for tests. The shell needs a quarter less of a
 * processor for the same tests, but shows no notifications and has no push.
 */
export const browserPrograms = {
  complete: "/usr/bin/chromium",
  shell: "/usr/bin/chromium-headless-shell",
} as const;

export type BrowserProgram = keyof typeof browserPrograms;

/** @param env variables in addition to this process's environment */
export function launchBrowser(
  program: BrowserProgram,
  env: Readonly<Record<string, string>> = {},
  flags = browserFlags,
): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPrograms[program],
    args: [...flags],
    env: { ...process.env, ...env },
  });
}

/**
 * V8 on one thread: without compilers and collectors beside the page, a first visit needs a fifth less of a processor,
 * and a reload a third less. Tools that measure speed do without it.
 */
const sharedFlags = [...browserFlags, "--js-flags=--single-threaded"];

const shared = new Map<BrowserProgram, Promise<Browser>>();

/** Returns the browser that all test files of a worker share: starting one takes seconds. It ends with the worker. */
export function sharedBrowser(program: BrowserProgram = "shell"): Promise<Browser> {
  const launched = shared.get(program) ?? launchBrowser(program, {}, sharedFlags);
  shared.set(program, launched);
  return launched;
}

/** Closes what is still open in the shared browsers, and returns the addresses of the pages. */
export async function closeLeftPages(): Promise<readonly string[]> {
  const browsers = await Promise.all(shared.values());
  const contexts = browsers.flatMap((browser) => browser.contexts());
  const urls = contexts.flatMap((context) => context.pages()).map((page) => page.url());
  await Promise.all(contexts.map((context) => context.close()));
  return urls;
}

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type * as shell from "./shell.ts";

const origin = "https://peers.example.net";
const oldChunk = `${origin}/assets/index-old.js`;
const newChunk = `${origin}/assets/index-new.js`;

let isScreen: typeof shell.isScreen;
let createShell: typeof shell.createShell;
let caches: Map<string, Map<string, Response>>;

beforeEach(async () => {
  caches = new Map();
  vi.stubGlobal("location", new URL(origin));
  vi.stubGlobal("registration", { scope: `${origin}/` });
  const cacheStorage = {
    open: async (name: string) => openCache(name),
    delete: async (name: string) => caches.delete(name),
  };
  vi.stubGlobal("caches", cacheStorage);
  vi.stubGlobal("self", { addEventListener: () => {}, caches: cacheStorage });
  // Workbox reads these globals when it is imported.
  vi.resetModules();
  ({ createShell, isScreen } = await import("./shell.ts"));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function urlOf(request: Request | string): string {
  return typeof request === "string" ? request : request.url;
}

function openCache(name: string) {
  const entries = caches.get(name) ?? new Map<string, Response>();
  caches.set(name, entries);
  return {
    keys: async () => [...entries.keys()].map((url) => new Request(url)),
    match: async (request: Request | string) => entries.get(urlOf(request))?.clone(),
    put: async (request: Request | string, response: Response) => void entries.set(urlOf(request), response),
    delete: async (request: Request | string) => entries.delete(urlOf(request)),
  };
}

/** The URLs in the cache whose name contains this text. */
function urlsIn(name: string): readonly string[] {
  const entries = [...caches].find(([each]) => each.includes(name))?.[1];
  return [...(entries?.keys() ?? [])];
}

/** Activates a version with these files, after a version whose precache has stored these URLs. */
async function activate(files: readonly string[], precached: readonly string[]): Promise<void> {
  const precache = openCache(`workbox-precache-v2-${origin}/`);
  for (const url of precached) await precache.put(url, new Response("file"));
  const event = { waitUntil: () => {} } as unknown as ExtendableEvent;
  await createShell(files.map((url) => ({ url, revision: null }))).activate(event);
}

test.each([
  "/",
  "/map",
  "/login",
  "/not-found",
  "/manager",
  "/manager/updatepeer/edit",
  "/manager/updatepeer/new",
  "/demonstration",
  "/api-docs",
])("%s is a screen of the app", (path) => {
  expect(isScreen(path)).toBe(true);
});

test.each([
  "/api",
  "/api/getPeerStatus",
  "/demo",
  "/demo/outbox",
  "/demo.json",
  "/healthz",
  "/readyz",
  "/provider.json",
])("%s is no screen of the app", (path) => {
  expect(isScreen(path)).toBe(false);
});

describe("a new version", () => {
  test("keeps the chunks of the previous build that it lacks", async () => {
    await activate(
      ["index.html", "assets/index-new.js"],
      [`${origin}/index.html`, oldChunk, newChunk, `${origin}/favicon.svg`],
    );
    expect(urlsIn("peerdeck-previous-build")).toEqual([oldChunk]);
    expect(urlsIn("precache")).toEqual([`${origin}/index.html`, newChunk]);
  });

  test("removes the chunks of the build before the previous one", async () => {
    const older = `${origin}/assets/index-older.js`;
    await openCache("peerdeck-previous-build").put(older, new Response("file"));
    await activate(["index.html", "assets/index-new.js"], [oldChunk, newChunk]);
    expect(urlsIn("peerdeck-previous-build")).toEqual([oldChunk]);
  });

  test("with the same chunks leaves those of the previous build", async () => {
    await openCache("peerdeck-previous-build").put(oldChunk, new Response("file"));
    await activate(["index.html", "assets/index-new.js"], [newChunk]);
    expect(urlsIn("peerdeck-previous-build")).toEqual([oldChunk]);
  });
});

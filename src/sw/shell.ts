/**
 * The app's own files: precached as a whole, and one page for every screen, so that each screen opens offline.
 *
 * Files of the previous version stay until the next update: a tab that was not reloaded still finds its chunks.
 */
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";

const page = "/index.html";
/** Browsers request it when they install the app. The server adds the provider's name, so it is not precached. */
const manifest = "manifest.webmanifest";
/** Persisted name: the cache with the files of the previous build. */
const previousBuildCache = "peerdeck-former-files";

/** Paths that are no screens of the app: calls, the demo's own pages, and files. */
const notScreens = [/^\/api(\/|$)/, /^\/demo(\/|\.|$)/, /^\/healthz$/, /\/[^/]+\.[a-z0-9]+$/i];

/** Whether a path of this server leads to a screen of the app. */
export function isScreen(pathname: string): boolean {
  return !notScreens.some((pattern) => pattern.test(pathname));
}

export interface Shell {
  readonly install: (event: ExtendableEvent) => Promise<void>;
  readonly activate: (event: ExtendableEvent) => Promise<void>;
}

export function createShell(files: Array<PrecacheEntry | string>): Shell {
  const controller = new PrecacheController();
  controller.addToCacheList(files.filter((file) => typeof file === "string" || file.url !== manifest));
  registerRoute(new PrecacheRoute(controller, { ignoreURLParametersMatching: [], cleanURLs: false }));
  // Not Workbox's `NavigationRoute`: it matches its lists against the path with the query string.
  registerRoute(
    ({ request, url }) => request.mode === "navigate" && isScreen(url.pathname),
    controller.createHandlerBoundToURL(page),
  );
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/assets/"),
    async ({ request }) => (await caches.match(request, { cacheName: previousBuildCache })) ?? fetch(request),
  );
  return {
    install: async (event) => void (await controller.install(event)),
    activate: async (event) => {
      await savePreviousBuild(controller);
      await controller.activate(event);
    },
  };
}

/** Copies the chunks that this version lacks before Workbox removes them from the precache. */
async function savePreviousBuild(controller: PrecacheController): Promise<void> {
  const current = new Set(controller.getCachedURLs());
  const precache = await caches.open(controller.strategy.cacheName);
  const requests = (await precache.keys()).filter(
    ({ url }) => new URL(url).pathname.startsWith("/assets/") && !current.has(url),
  );
  if (requests.length === 0) return;
  await caches.delete(previousBuildCache);
  const cache = await caches.open(previousBuildCache);
  for (const request of requests) {
    const response = await precache.match(request);
    if (response) await cache.put(request, response);
  }
}

/**
 * The app's own files: precached as a whole, and the page for every screen, so that any of them opens without
 * the network.
 *
 * What the version before brought stays until the version after next: a tab that was not reloaded still finds
 * the chunks that it was built with.
 */
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from "workbox-precaching";
import { registerRoute } from "workbox-routing";

const page = "/index.html";
/** Browsers ask for it when they install the app. It has the provider's name in it, and is no part of the build. */
const manifest = "manifest.webmanifest";
const formerFiles = "peerdeck-former-files";

/** Not screens of the app: calls, the demo's own pages, and files. */
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
  // Not Workbox's `NavigationRoute`: to its lists a path ends with the question behind it.
  registerRoute(
    ({ request, url }) => request.mode === "navigate" && isScreen(url.pathname),
    controller.createHandlerBoundToURL(page),
  );
  registerRoute(
    ({ sameOrigin, url }) => sameOrigin && url.pathname.startsWith("/assets/"),
    async ({ request }) => (await caches.match(request, { cacheName: formerFiles })) ?? fetch(request),
  );
  return {
    install: async (event) => void (await controller.install(event)),
    activate: async (event) => {
      await keepFormer(controller);
      await controller.activate(event);
    },
  };
}

/** Before the precache drops what this version does not have. */
async function keepFormer(controller: PrecacheController): Promise<void> {
  const current = new Set(controller.getCachedURLs());
  const precache = await caches.open(controller.strategy.cacheName);
  const requests = (await precache.keys()).filter(
    ({ url }) => new URL(url).pathname.startsWith("/assets/") && !current.has(url),
  );
  if (requests.length === 0) return;
  await caches.delete(formerFiles);
  const former = await caches.open(formerFiles);
  for (const request of requests) {
    const response = await precache.match(request);
    if (response) await former.put(request, response);
  }
}
